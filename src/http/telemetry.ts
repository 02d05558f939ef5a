import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { type Observe, requestDurations } from "./request-durations.ts";

/** What the process tells about itself at `/metrics`. */
export interface Telemetry {
  readonly observe: Observe;
  readonly registry: Registry;
}

/** How one source's refreshes have gone, for the metrics of ingest. */
export interface IngestResult {
  readonly dataset: string;
  readonly source: string;
  readonly runs: number;
  readonly failures: number;
  readonly ageSeconds: number | undefined;
}

export function createTelemetry(ingestResults: () => Promise<readonly IngestResult[]>): Telemetry {
  const registry = new Registry();
  // Includes the event loop's delay at p50, p90 and p99.
  collectDefaultMetrics({ register: registry });
  const { observe, metric } = requestDurations();
  registry.registerMetric(metric);
  registerIngest(registry, ingestResults);
  return { observe, registry };
}

function registerIngest(registry: Registry, ingestResults: () => Promise<readonly IngestResult[]>): void {
  const labelNames = ["dataset", "source"] as const;
  const failures = new Counter({
    name: "ids_ingest_failures_total",
    help: "Refreshes that failed or were refused.",
    labelNames,
    registers: [],
  });
  const age = new Gauge({
    name: "ids_ingest_age_seconds",
    help: "Age of the last good answer.",
    labelNames,
    registers: [],
  });
  const runs = new Counter({
    name: "ids_ingest_runs_total",
    help: "Refreshes tried.",
    labelNames,
    registers: [],
    // The store keeps the counts, so that every replica tells the same.
    async collect() {
      runs.reset();
      failures.reset();
      age.reset();
      for (const result of await ingestResults().catch(() => [])) {
        const labels = { dataset: result.dataset, source: result.source };
        runs.inc(labels, result.runs);
        failures.inc(labels, result.failures);
        if (result.ageSeconds !== undefined) age.set(labels, result.ageSeconds);
      }
    },
  });
  for (const metric of [runs, failures, age]) registry.registerMetric(metric);
}

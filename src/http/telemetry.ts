import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { type Observe, requestDurations } from "./request-durations.ts";

/** What the process tells about itself at `/metrics`. */
export interface Telemetry {
  readonly observe: Observe;
  readonly registry: Registry;
  /** Counts a look-up of an operation that asks its upstream while a caller waits. */
  readonly lookedUp: (upstream: string, outcome: "ok" | "failed") => void;
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
  const lookups = new Counter({
    name: "ids_live_lookups_total",
    help: "Look-ups by operations that ask an upstream while a caller waits.",
    labelNames: ["upstream", "outcome"] as const,
    registers: [registry],
  });
  return { observe, registry, lookedUp: (upstream, outcome) => lookups.inc({ upstream, outcome }) };
}

/** The store keeps the counts, so that every replica tells the same. Each metric reads them itself: all are asked at once. */
function registerIngest(registry: Registry, ingestResults: () => Promise<readonly IngestResult[]>): void {
  const labelNames = ["dataset", "source"] as const;
  const registers = [registry];
  const results = () => ingestResults().catch(() => []);
  new Counter({
    name: "ids_ingest_runs_total",
    help: "Refreshes tried.",
    labelNames,
    registers,
    async collect() {
      const read = await results();
      this.reset();
      for (const { dataset, source, runs } of read) this.inc({ dataset, source }, runs);
    },
  });
  new Counter({
    name: "ids_ingest_failures_total",
    help: "Refreshes that failed or were refused.",
    labelNames,
    registers,
    async collect() {
      const read = await results();
      this.reset();
      for (const { dataset, source, failures } of read) this.inc({ dataset, source }, failures);
    },
  });
  new Gauge({
    name: "ids_ingest_age_seconds",
    help: "Age of the last good answer.",
    labelNames,
    registers,
    async collect() {
      const read = await results();
      this.reset();
      for (const { dataset, source, ageSeconds } of read)
        if (ageSeconds !== undefined) this.set({ dataset, source }, ageSeconds);
    },
  });
}

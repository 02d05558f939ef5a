import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { AdmissionCounts } from "../load/admission.ts";
import { type Observe, requestDurations } from "./request-durations.ts";

/** What the process tells about itself at `/metrics`. */
export interface Telemetry {
  readonly observe: Observe;
  readonly registry: Registry;
  /** Counts a look-up of an operation that asks its upstream while a caller waits. */
  readonly lookedUp: (upstream: string, outcome: "ok" | "failed") => void;
  /** Counts a message over an RPC protocol that could not be read. */
  readonly malformed: (protocol: string) => void;
}

/** How one source's refreshes have gone, for the metrics of ingest. */
export interface IngestResult {
  readonly dataset: string;
  readonly source: string;
  readonly runs: number;
  readonly failures: number;
  readonly ageSeconds: number | undefined;
  readonly drifts: number;
}

/** Milliseconds. A look at the event loop's delay every 10, as by default, would take half of what an idle service does. */
const eventLoopMonitoringPrecision = 50;

export function createTelemetry(
  ingestResults: () => Promise<readonly IngestResult[]>,
  admissionCounts: () => AdmissionCounts,
): Telemetry {
  const registry = new Registry();
  // Includes the event loop's delay at p50, p90 and p99.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  const { observe, metric } = requestDurations();
  registry.registerMetric(metric);
  registerIngest(registry, ingestResults);
  registerAdmission(registry, admissionCounts);
  const lookups = new Counter({
    name: "ids_live_lookups_total",
    help: "Look-ups by operations that ask an upstream while a caller waits.",
    labelNames: ["upstream", "outcome"] as const,
    registers: [registry],
  });
  const malformed = new Counter({
    name: "ids_malformed_messages_total",
    help: "Messages over Connect, gRPC-Web and gRPC that could not be read.",
    labelNames: ["protocol"] as const,
    registers: [registry],
  });
  return {
    observe,
    registry,
    lookedUp: (upstream, outcome) => lookups.inc({ upstream, outcome }),
    malformed: (protocol) => malformed.inc({ protocol }),
  };
}

function registerAdmission(registry: Registry, counts: () => AdmissionCounts): void {
  const registers = [registry];
  new Gauge({
    name: "ids_requests_waiting",
    help: "Requests that wait for their turn.",
    registers,
    collect() {
      this.set(counts().waiting);
    },
  });
  new Counter({
    name: "ids_requests_shed_total",
    help: "Requests refused because they could not be served in time, of callers with and without a key.",
    labelNames: ["caller"] as const,
    registers,
    collect() {
      this.reset();
      for (const [caller, count] of Object.entries(counts().shed)) this.inc({ caller }, count);
    },
  });
  new Counter({
    name: "ids_requests_abandoned_total",
    help: "Requests that were not worked on because their callers had gone.",
    registers,
    collect() {
      this.reset();
      this.inc(counts().abandoned);
    },
  });
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
  new Counter({
    name: "ids_source_drift_total",
    help: "Differences in the form of a source's answers: fields that are new, gone or of another type, and new codes.",
    labelNames,
    registers,
    async collect() {
      const read = await results();
      this.reset();
      for (const { dataset, source, drifts } of read) this.inc({ dataset, source }, drifts);
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

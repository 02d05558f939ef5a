import { Counter, collectDefaultMetrics, Registry } from "prom-client";
import { type Cause, causes } from "../failure-cause.ts";
import type { AdmissionCounts } from "../load/admission.ts";
import { readCounter, readGauge } from "./read-metrics.ts";
import { type Observe, requestDurations } from "./request-durations.ts";
import { registerStoreMetrics, type StoreReadings } from "./store-metrics.ts";

export interface Telemetry {
  readonly observe: Observe;
  readonly failed: (operation: string, protocol: string, cause: Cause) => void;
  readonly registry: Registry;
  /** Counts a lookup, in which an operation requests its upstream while a caller waits. */
  readonly lookedUp: (upstream: string, outcome: "ok" | "failed") => void;
  readonly malformed: (protocol: string) => void;
}

/** Milliseconds. The default of 10 would cause half of the load of an idle service. */
const eventLoopMonitoringPrecision = 50;

export function createTelemetry(readings: StoreReadings, admissionCounts: () => AdmissionCounts): Telemetry {
  const registry = new Registry();
  // Includes the delay of the event loop at p50, p90, and p99.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  // By convention only counters end in `_total`. The gauges by type have the same values.
  for (const kind of ["handles", "requests", "resources"]) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const { observe, metric } = requestDurations();
  registry.registerMetric(metric);
  const failures = new Counter({
    name: "ids_request_failures_total",
    help: `Requests that failed, by cause: ${causes.join(", ")}. caller: wrong request or key; gone: disconnected or too slow; source: no data that may be served (503); flagged: a response that marks its data as missing or too old; shed: overload.`,
    labelNames: ["operation", "protocol", "cause"] as const,
    registers: [registry],
  });
  registerStoreMetrics(registry, readings);
  registerAdmission(registry, admissionCounts);
  const lookups = new Counter({
    name: "ids_live_lookups_total",
    help: "Lookups by operations that request an upstream while a caller waits.",
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
    failed: (operation, protocol, cause) => failures.inc({ operation, protocol, cause }),
    registry,
    lookedUp: (upstream, outcome) => lookups.inc({ upstream, outcome }),
    malformed: (protocol) => malformed.inc({ protocol }),
  };
}

function registerAdmission(registry: Registry, counts: () => AdmissionCounts): void {
  readGauge(registry, {
    name: "ids_requests_waiting",
    help: "Requests in the queue.",
    labels: [],
    read: () => [[{}, counts().waiting]],
  });
  readGauge(registry, {
    name: "ids_requests_running",
    help: "Requests that use one of the places for work on the store.",
    labels: [],
    read: () => [[{}, counts().running]],
  });
  readCounter(registry, {
    name: "ids_requests_shed_total",
    help: "Requests rejected because they could not be served in time, for callers with and without a key.",
    labels: ["caller"],
    read: () => Object.entries(counts().shed).map(([caller, count]) => [{ caller }, count]),
  });
  readCounter(registry, {
    name: "ids_requests_abandoned_total",
    help: "Requests that were not started because their callers had disconnected.",
    labels: [],
    read: () => [[{}, counts().abandoned]],
  });
}

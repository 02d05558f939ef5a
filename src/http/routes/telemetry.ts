import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { type FailureCause, failureCauses } from "../../error-kinds.ts";
import type { QueueCounts } from "../load/fair-queue.ts";
import { readCounter, readGauge } from "./read-metrics.ts";
import { registerStoreMetrics, type StoreReadings } from "./store-metrics.ts";

/** The metrics of the process at `/metrics`. */
export interface Telemetry {
  readonly observe: (operation: string, protocol: string, status: number, milliseconds: number) => void;
  /** Counts a failed request by cause. */
  readonly failed: (operation: string, protocol: string, cause: FailureCause) => void;
  readonly registry: Registry;
  /** Counts a request to an upstream server that an operation makes while its caller waits. */
  readonly lookedUp: (upstream: string, outcome: "ok" | "failed") => void;
  /** Counts an RPC message that cannot be parsed. */
  readonly malformed: (protocol: string) => void;
}

export interface TelemetryParts {
  readonly readings: StoreReadings;
  readonly queueCounts: () => QueueCounts;
  /** Returns the free bytes of the disk with the data folder; undefined if there is no such folder. */
  readonly freeBytes: () => Promise<number | undefined>;
  readonly version: string;
}

/** Sampling interval in milliseconds. The default of 10 would cause half of the CPU use of an idle service. */
const eventLoopMonitoringPrecision = 50;

export function createTelemetry({ readings, queueCounts, freeBytes, version }: TelemetryParts): Telemetry {
  const registry = new Registry();
  // The default metrics include the delay of the event loop at p50, p90, and p99.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  // These gauges are removed, because their names end in `_total`, which is reserved for counters. Other gauges report
  // the same values by type.
  for (const kind of ["handles", "requests", "resources"]) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const durations = new Histogram({
    name: "ids_request_duration_seconds",
    help: "Duration of requests by operation, protocol and status class; gRPC failures have status 200, so their class is that of their cause.",
    labelNames: ["operation", "protocol", "status"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const failures = new Counter({
    name: "ids_request_failures_total",
    help: `Requests that failed, by cause: ${failureCauses.join(", ")}. caller: wrong request or key; gone: disconnected or too slow; source: no data that may be served (503); flagged: a response that marks its data as missing or too old; shed: overload.`,
    labelNames: ["operation", "protocol", "cause"] as const,
    registers: [registry],
  });
  registerStoreMetrics(registry, readings);
  registerQueue(registry, queueCounts);
  readGauge(registry, {
    name: "ids_build_info",
    help: "Always 1, with the versions of the program and of Node.",
    labels: ["version", "node"],
    read: () => [[{ version, node: process.versions.node }, 1]],
  });
  readGauge(registry, {
    name: "ids_data_disk_free_bytes",
    help: "Free space of the disk with the data folder. Absent without the folder.",
    read: async () => {
      const free = await freeBytes();
      return free === undefined ? [] : [[{}, free]];
    },
  });
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
    observe: (operation, protocol, status, milliseconds) =>
      durations.observe({ operation, protocol, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1_000),
    failed: (operation, protocol, cause) => failures.inc({ operation, protocol, cause }),
    registry,
    lookedUp: (upstream, outcome) => lookups.inc({ upstream, outcome }),
    malformed: (protocol) => malformed.inc({ protocol }),
  };
}

function registerQueue(registry: Registry, counts: () => QueueCounts): void {
  readGauge(registry, {
    name: "ids_requests_waiting",
    help: "Requests in the queue.",
    read: () => [[{}, counts().waiting]],
  });
  readGauge(registry, {
    name: "ids_requests_running",
    help: "Requests that use one of the places for work on the store.",
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
    read: () => [[{}, counts().abandoned]],
  });
}

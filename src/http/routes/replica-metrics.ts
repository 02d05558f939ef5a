import type { Registry } from "prom-client";
import { readCounter, readGauge } from "./read-metrics.ts";

/** How reads are shared between the primary and its replica. */
export interface ReplicaReading {
  readonly state: () => string;
  /** Of the last look; undefined where it is not known. */
  readonly lagMs: () => number | undefined;
  /** Reads that asked the store, by where they went. */
  readonly counts: () => Readonly<Record<string, number>>;
}

/** Without a replica they have no values. */
export function registerReplica(registry: Registry, replica: ReplicaReading | undefined): void {
  readGauge(registry, {
    name: "ids_read_replica_used",
    help: "1 while reads go to the replica, 0 while it is behind or out of reach.",
    labels: [],
    read: () => (replica ? [[{}, replica.state() === "used" ? 1 : 0]] : []),
  });
  readGauge(registry, {
    name: "ids_read_replica_lag_seconds",
    help: "How far the replica was behind the primary when it was last looked at.",
    labels: [],
    read: () => {
      const lagMs = replica?.lagMs();
      return lagMs === undefined ? [] : [[{}, lagMs / 1_000]];
    },
  });
  readCounter(registry, {
    name: "ids_replica_reads_total",
    help: "Reads of data that asked the store, by where they went: replica, primary, or both (failed on the replica and was repeated).",
    labels: ["from"],
    read: () => Object.entries(replica?.counts() ?? {}).map(([from, count]) => [{ from }, count]),
  });
}

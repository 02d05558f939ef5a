import type { IngestResult } from "../http/routes/telemetry.ts";
import { type ConditionParts, type DatasetCondition, datasetConditions } from "../ingest/condition.ts";
import { affectedOperations, operationInputs } from "../ingest/graph.ts";
import type { HealthReport } from "../ingest/health-report.ts";
import { lookupConditions } from "../ingest/lookup-condition.ts";
import type { Lookup } from "../ingest/source.ts";
import type { Database } from "../store/database.ts";

/** What the service tells about its own state. */
export interface Health {
  readonly report: () => Promise<HealthReport>;
  /** Why requests cannot be served now; undefined when they can. */
  readonly notReady: () => string | undefined;
  readonly ingestResults: () => Promise<readonly IngestResult[]>;
}

export interface HealthParts extends ConditionParts {
  readonly lookups: readonly Lookup[];
  readonly database: Database;
  /** When the store was last read, by the poll that follows its changes. */
  readonly generations: { readonly lastPollAt: () => Date | undefined };
}

/** The poll comes every 2 s: three missed ones mean that the store is out of reach. */
const unreadableAfterMs = 8_000;
/** Health is public: however often it is asked, the store is asked once in this time. */
const keptForMs = 1_000;

export function createHealth(parts: HealthParts): Health {
  const { database, generations, data, clock } = parts;
  const inputs = operationInputs(parts.datasets, parts.lookups);
  let kept: { readonly at: number; readonly conditions: Promise<DatasetCondition[]> } | undefined;
  const conditions = () => {
    const now = clock().getTime();
    if (!kept || now - kept.at >= keptForMs) kept = { at: now, conditions: datasetConditions(database.kysely, parts) };
    return kept.conditions;
  };
  const notReady = () => {
    const last = generations.lastPollAt();
    const readable = last !== undefined && clock().getTime() - last.getTime() < unreadableAfterMs;
    return readable ? undefined : "the store cannot be read";
  };
  return {
    notReady,
    async report() {
      const datasets = await conditions().catch(() => undefined);
      const last = generations.lastPollAt();
      const store = {
        kind: database.kind,
        reachable: datasets !== undefined,
        ...(last && { lastReadAt: last.toISOString() }),
      };
      const lookups = lookupConditions(parts.lookups, parts.missingOf);
      if (!datasets) return { status: "down", data, store, datasets: [], lookups, affected: [] };
      const status = datasets.every(({ state }) => state === "ok") ? "ok" : "degraded";
      return { status, data, store, datasets, lookups, affected: affectedOperations(inputs, datasets) };
    },
    ingestResults: async () => (await conditions()).flatMap(resultsOf),
  };
}

function resultsOf({ name, sources }: DatasetCondition): IngestResult[] {
  return sources.map((source) => ({
    dataset: name,
    source: source.name,
    runs: source.runs,
    failures: source.failures,
    ageSeconds: source.lastGoodAgeSeconds,
  }));
}

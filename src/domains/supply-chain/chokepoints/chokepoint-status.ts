import type { Transaction } from "kysely";
import { type Insertable, sql } from "kysely";
import { ScenarioService } from "../../../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { type ChokepointReading, ChokepointReadingSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { dataset, type Refresh } from "../../../ingest/dataset.ts";
import type { DatasetSeries } from "../../../ingest/series/dataset-series.ts";
import { seriesReported } from "../../../ingest/series/series.ts";
import { storedOrigins } from "../../../ingest/stored-metadata.ts";
import { minuteMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";
import { chokepoints, threatLevelsReviewedAt } from "../../../reference/trade/chokepoints.ts";
import type { StoreTables } from "../../../store/tables.ts";
import type { SupplyTables } from "../supply-tables.ts";
import { disruptionOf } from "./disruption-score.ts";
import { ngaWarnings } from "./nga-warnings.ts";
import { portWatch } from "./portwatch.ts";

const table = "chokepoint_status" satisfies keyof SupplyTables;

type StatusRow = Omit<Insertable<SupplyTables[typeof table]>, "version" | "updated_at">;

/** Stores the changed states and increases their versions. Returns the IDs of the changed chokepoints. */
async function storeStatuses(transaction: Transaction<StoreTables>, statuses: readonly StatusRow[], now: Date) {
  const rows = statuses.map((status) => ({ ...status, version: 1, updated_at: now }));
  const [first] = statuses;
  if (!first) return [];
  const names = Object.keys(first).filter((name) => name !== "chokepoint_id");
  const of = (row: string) => sql.join(names.map((name) => sql.ref(`${row}.${name}`)));
  const changed = await sql<{ chokepoint_id: string }>`
    insert into ${sql.table(table)}
    select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
    on conflict (chokepoint_id) do update set
      (${sql.join(names.map((name) => sql.ref(name)))}) = row(${of("excluded")}),
      version = ${sql.ref(`${table}.version`)} + 1, updated_at = excluded.updated_at
    where (${of(table)}) is distinct from (${of("excluded")})
    returning chokepoint_id`.execute(transaction);
  return changed.rows.map(({ chokepoint_id }) => chokepoint_id);
}

const score = seriesReported({
  id: "chokepoint.disruption",
  title:
    "Disruption of a chokepoint, 0 to 100, from its threat level, navigational warnings and ship transits. Webhooks receive an event when it changes.",
  keyParts: ["chokepoint"],
  step: "refresh",
  shownBy: SupplyChainService.method.getChokepointDependencies,
});

/** The history of chokepoints' disruption. While one of the sources cannot be read, no points are added. */
const statusSeries: DatasetSeries = {
  series: [score],
  async read(transaction, at) {
    const rows = await transaction
      .withTables<SupplyTables>()
      .selectFrom("chokepoint_status")
      .select(["chokepoint_id as key", "score as value"])
      .where("upstream_unavailable", "=", false)
      .execute();
    return rows.map(({ key, value }) => ({ series: score, key, at, value }));
  },
};

/** The minutes after its last read at which each input counts as unavailable. In this time, three reads are missed. */
const readableFor: ReadonlyMap<string, number> = new Map([
  [portWatch.name, 18 * 60],
  [ngaWarnings.name, 3 * 60],
]);
/** If the last day with counted ships is more days ago, it does not describe the present. */
const reportingDays = 21;

export type StatusListener = (
  transaction: Transaction<StoreTables>,
  statuses: readonly StatusRow[],
  terms: {
    readonly now: Date;
    /** Set if stored states are of the other origin, because samples and live states must not be compared. */
    readonly fresh: boolean;
  },
) => Promise<unknown>;

export const chokepointStatus = { name: "chokepoint-status" } as const;

export function chokepointStatusDataset(listener: StatusListener) {
  return dataset({
    ...chokepointStatus,
    subject: "Ship traffic, warnings and disruption score of maritime chokepoints.",
    row: ChokepointReadingSchema,
    schedule: "*/5 * * * *",
    freshForMinutes: 15,
    serves: [ScenarioService.method.runScenario],
    sources: [portWatch, ngaWarnings],
    series: statusSeries,
    // Because of this table, every run computes the states again, which also updates the age of the last read.
    tables: [{ name: "threat-levels", reviewedAt: threatLevelsReviewedAt }],
    async write(transaction, refresh) {
      const statuses = statusesOf(refresh);
      await storeStatuses(transaction, statuses, refresh.now);
      await listener(transaction, statuses, {
        now: refresh.now,
        fresh: await isOfOtherOrigin(transaction, refresh.origin),
      });
      return chokepoints.length;
    },
  });
}

async function isOfOtherOrigin(transaction: Transaction<StoreTables>, origin: "live" | "sample"): Promise<boolean> {
  const before = (await storedOrigins(transaction, [chokepointStatus])).get(chokepointStatus.name);
  return before !== undefined && before !== origin;
}

function statusesOf({ bySource, responses, now }: Refresh<typeof ChokepointReadingSchema>): StatusRow[] {
  const readings = [...bySource.values()].flat();
  const upstreamUnavailable = [...readableFor].some(([name, minutes]) => {
    const readAt = responses.get(name)?.fetchedAt.getTime();
    return readAt === undefined || now.getTime() - readAt > minutes * minuteMs;
  });
  return chokepoints.map(({ id, oilBaseline, threat }) => {
    const days = transitsOf(readings, id);
    const observedTo = days.map(({ day }) => day).reduce<string | null>((a, b) => (a && a > b ? a : b), null);
    const isReporting = observedTo && now.getTime() - Date.parse(observedTo) <= reportingDays * 24 * 60 * minuteMs;
    const warnings = readings.filter(
      ({ reported }) => reported.case === "warning" && reported.value.chokepointIds.includes(id),
    );
    const { score, status, anomaly, flowRatio, disrupted } = disruptionOf({
      threat,
      warnings: warnings.length,
      days: isReporting ? days : [],
      flowCovered: oilBaseline !== undefined,
    });
    return {
      chokepoint_id: id,
      score,
      status,
      threat,
      warnings: warnings.length,
      anomaly,
      flow_ratio: flowRatio === undefined ? null : rounded(flowRatio, 4),
      disrupted: disrupted ?? null,
      upstream_unavailable: upstreamUnavailable,
      observed_to: observedTo,
    };
  });
}

function transitsOf(readings: readonly ChokepointReading[], id: string) {
  return readings.flatMap(({ reported }) =>
    reported.case === "transits" && reported.value.chokepointId === id ? [reported.value] : [],
  );
}

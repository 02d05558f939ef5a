import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Insertable, sql } from "kysely";
import { ScenarioService } from "../../../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { type ChokepointReading, ChokepointReadingSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import { ListChokepointStatusResponseSchema } from "../../../../gen/es/ids/supply_chain/v1/chokepoint_status_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { dataset, type Refresh } from "../../../ingest/dataset.ts";
import type { DatasetSeries } from "../../../ingest/series/dataset-series.ts";
import { seriesReported } from "../../../ingest/series/series.ts";
import { storeMessage } from "../../../ingest/snapshot.ts";
import { storedOrigins } from "../../../ingest/stored-metadata.ts";
import { minuteMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";
import { chokepointById, chokepoints, threatLevelsReviewedAt } from "../../../reference/trade/chokepoints.ts";
import type { Transaction } from "../../../store/tables.ts";
import type { SupplyTables } from "../supply-tables.ts";
import { disruptionOf } from "./disruption-score.ts";
import { ngaWarnings } from "./nga-warnings.ts";
import { fetchTransits, parseTransits, portWatch } from "./portwatch.ts";

const table = "chokepoint_status" satisfies keyof SupplyTables;

type StatusRow = Omit<Insertable<SupplyTables[typeof table]>, "version" | "updated_at">;

/** Stores the states that changed and increases their version. Returns the IDs of chokepoints whose state changed. */
async function storeStatuses(transaction: Transaction, statuses: readonly StatusRow[], now: Date) {
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

const transits = seriesReported({
  id: "chokepoint.transits",
  title: "Ships of all types that passed a chokepoint.",
  keyParts: ["chokepoint"],
  step: "day",
  isCount: true,
  sources: [portWatch.name],
  shownBy: SupplyChainService.method.listChokepointStatus,
});

/** The history of chokepoints. While a source cannot be read, no points of the disruption score are added. */
const statusSeries: DatasetSeries = {
  series: [score, transits],
  backfill: {
    source: portWatch,
    begins: "2019-01-01",
    async read(upstream, { from }) {
      const { rows } = parseTransits(await fetchTransits(upstream, from));
      return rows.flatMap(({ reported }) => {
        if (reported?.case !== "transits") return [];
        const { chokepointId: key = "", day = "", ships: value = 0 } = reported.value;
        return [{ series: transits, key, at: new Date(day), value }];
      });
    },
  },
  async read(transaction, at) {
    const rows = await transaction
      .withTables<SupplyTables>()
      .selectFrom("chokepoint_status")
      .select(["chokepoint_id as key", "score as value", "days", "upstream_unavailable as isUnavailable"])
      .execute();
    return rows.flatMap(({ key, value, days, isUnavailable }) => [
      ...(isUnavailable ? [] : [{ series: score, key, at, value }]),
      ...days.map(({ day, ships }) => ({ series: transits, key, at: new Date(day), value: ships })),
    ]);
  },
};

/** How many minutes after its last read a source counts as unavailable. Three reads are missed by then. */
const readableFor: ReadonlyMap<string, number> = new Map([
  [portWatch.name, 18 * 60],
  [ngaWarnings.name, 3 * 60],
]);
/** If ships were last counted more days ago, the numbers do not describe the present. */
const reportingDays = 21;

export type StatusListener = (
  transaction: Transaction,
  statuses: readonly StatusRow[],
  terms: {
    readonly now: Date;
    /** True if samples replace live states, or the reverse, because their scores must not be compared. */
    readonly fresh: boolean;
  },
) => Promise<unknown>;

export const chokepointStatus = { name: "chokepoint-status", message: ListChokepointStatusResponseSchema } as const;

export function chokepointStatusDataset(listener: StatusListener) {
  return dataset({
    ...chokepointStatus,
    subject: "Ship traffic, warnings and disruption score of maritime chokepoints.",
    notIncluded: [
      "positions of ships, vessel positions, vessel names: the number of ships a day",
      "tons of cargo, barrels of oil: the number of ships a day",
    ],
    row: ChokepointReadingSchema,
    schedule: "*/5 * * * *",
    freshForMinutes: 15,
    serves: [SupplyChainService.method.listChokepointStatus, ScenarioService.method.runScenario],
    sources: [portWatch, ngaWarnings],
    currentTables: [table],
    counters: ["version", "updated_at"],
    series: statusSeries,
    inputsOf: ({ shipsPerDay }) => ({ missing: typeof shipsPerDay === "number" ? [] : ["ships"] }),
    // A dataset with a table of this program computes its rows at every refresh, also if its sources returned the same
    // response. So the time at which the ships of a chokepoint were read last is updated too.
    tables: [{ name: "threat-levels", reviewedAt: threatLevelsReviewedAt }],
    async write(transaction, refresh) {
      const statuses = statusesOf(refresh);
      await storeStatuses(transaction, statuses, refresh.now);
      await storeMessage(transaction, ListChokepointStatusResponseSchema, shown(statuses), refresh.generation);
      await listener(transaction, statuses, {
        now: refresh.now,
        fresh: await isOfOtherOrigin(transaction, refresh.origin),
      });
      return chokepoints.length;
    },
  });
}

async function isOfOtherOrigin(transaction: Transaction, origin: "live" | "sample"): Promise<boolean> {
  const before = (await storedOrigins(transaction, [chokepointStatus])).get(chokepointStatus.name);
  return before !== undefined && before !== origin;
}

function shown(statuses: readonly StatusRow[]): MessageInitShape<typeof ListChokepointStatusResponseSchema> {
  return {
    chokepoints: statuses.flatMap(
      ({ chokepoint_id: chokepointId, ships_per_day, flow_ratio, observed_to, days, ...row }) => {
        const chokepoint = chokepointById(chokepointId);
        if (!chokepoint) return [];
        const { name, latitude, longitude } = chokepoint;
        const { score, status, threat, warnings } = row;
        const ships = days.find(({ day }) => day === observed_to)?.ships;
        return {
          ...{ chokepointId, name, latitude, longitude, score, status, threat, warnings },
          observedTo: observed_to ?? "",
          ...(typeof ships_per_day === "number" && {
            shipsPerDay: ships_per_day,
            ...(ships !== undefined && { ships }),
          }),
          ...(typeof flow_ratio === "number" && { flowRatio: flow_ratio }),
        };
      },
    ),
    upstreamUnavailable: statuses.some(({ upstream_unavailable }) => upstream_unavailable),
  };
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
    const { score, status, anomaly, flowRatio, disrupted, shipsPerDay } = disruptionOf({
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
      ships_per_day: shipsPerDay === undefined ? null : rounded(shipsPerDay, 1),
      days: days.map(({ day, ships }) => ({ day, ships })),
    };
  });
}

function transitsOf(readings: readonly ChokepointReading[], id: string) {
  return readings.flatMap(({ reported }) =>
    reported.case === "transits" && reported.value.chokepointId === id ? [reported.value] : [],
  );
}

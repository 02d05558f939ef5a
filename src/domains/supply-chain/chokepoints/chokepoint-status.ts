import type { Transaction } from "kysely";
import { ScenarioService } from "../../../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { type ChokepointReading, ChokepointReadingSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import { dataset, type Refresh } from "../../../ingest/dataset.ts";
import { storedOrigins } from "../../../ingest/stored-facts.ts";
import { minuteMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";
import { chokepoints, threatLevelsReviewedAt } from "../../../reference/trade/chokepoints.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { disruptionOf } from "./disruption-score.ts";
import { ngaWarnings } from "./nga-warnings.ts";
import { portWatch } from "./portwatch.ts";
import { statusSeries } from "./status-series.ts";
import { type StatusRow, storeStatuses } from "./status-store.ts";

/** Inputs read longer ago, in minutes, count as out of reach: three missed readings. */
const readableFor: ReadonlyMap<string, number> = new Map([
  [portWatch.name, 18 * 60],
  [ngaWarnings.name, 3 * 60],
]);
/** Transits that end longer ago tell nothing of today. */
const reportingDays = 21;

/** Hears of the states in the transaction that stores them. */
export type StatusListener = (
  transaction: Transaction<StoreTables>,
  statuses: readonly StatusRow[],
  terms: {
    readonly now: Date;
    /** The states before were made from samples and these are not, or the other way round: nothing is a change of those. */
    readonly anew: boolean;
  },
) => Promise<unknown>;

/** How each chokepoint stands: scores for other answers and for alerts. */
export const chokepointStatus = { name: "chokepoint-status" } as const;

/** The dataset, with who hears of it. */
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
    // Each run also says how old what was read has become.
    tables: [{ name: "threat-levels", reviewedAt: threatLevelsReviewedAt }],
    async write(transaction, refresh) {
      const statuses = statusesOf(refresh);
      await storeStatuses(transaction, statuses, refresh.now);
      await listener(transaction, statuses, {
        now: refresh.now,
        anew: await isOfOtherOrigin(transaction, refresh.origin),
      });
      return chokepoints.length;
    },
  });
}

async function isOfOtherOrigin(transaction: Transaction<StoreTables>, origin: "live" | "sample"): Promise<boolean> {
  const before = (await storedOrigins(transaction, [chokepointStatus])).get(chokepointStatus.name);
  return before !== undefined && before !== origin;
}

/** The state of every chokepoint from what was read last. */
function statusesOf({ bySource, answers, now }: Refresh<typeof ChokepointReadingSchema>): StatusRow[] {
  const readings = [...bySource.values()].flat();
  const upstreamUnavailable = [...readableFor].some(([name, minutes]) => {
    const readAt = answers.get(name)?.fetchedAt.getTime();
    return readAt === undefined || now.getTime() - readAt > minutes * minuteMs;
  });
  return chokepoints.map(({ id, oilBaseline, threat }) => {
    const days = transitsOf(readings, id);
    const observedTo = days.map(({ day }) => day).reduce<string | null>((a, b) => (a && a > b ? a : b), null);
    const isReporting = observedTo && now.getTime() - Date.parse(observedTo) <= reportingDays * 24 * 60 * minuteMs;
    const warnings = readings.filter(
      ({ told: listener }) => listener.case === "warning" && listener.value.chokepointIds.includes(id),
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
  return readings.flatMap(({ told: content }) =>
    content.case === "transits" && content.value.chokepointId === id ? [content.value] : [],
  );
}

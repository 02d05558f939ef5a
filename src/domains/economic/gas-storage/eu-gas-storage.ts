import type { MessageInitShape } from "@bufbuild/protobuf";
import type { z } from "zod";
import {
  EconomicService,
  type EuGasStorageDay,
  EuGasStorageDaySchema,
  type GetEuGasStorageResponse,
  GetEuGasStorageResponseSchema,
} from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import type { Backfill, DatasetSeries, SeriesPoint } from "../../../ingest/series/dataset-series.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { type Parsed, type Rejection, readRow, type Source } from "../../../ingest/source.ts";
import { agsiTerms, allGasDays, fetchGasDays, gasDaySchema, gasDays } from "../../../providers/agsi/agsi.ts";
import { dayMs, hourMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";

type ParsedDay = MessageInitShape<typeof EuGasStorageDaySchema>;

/** How many days are requested. The response has fewer, because the source may lack some days. */
const days = 40;

/** The EU aggregate of the storage inventory of Gas Infrastructure Europe, newest gas day first. */
export const agsi: Source<ParsedDay> = {
  ...agsiTerms,
  name: "agsi",
  rows: { atLeast: 5, mayBeEmpty: false },
  fetch: (upstream) => fetchGasDays(upstream, { type: "eu", size: String(days) }),
  parse,
  observedAt: ({ date = "" }) => Date.parse(date),
};

function parse(response: unknown): Parsed<ParsedDay> {
  const rows = new Map<string, ParsedDay>();
  const rejected: Rejection[] = [];
  for (const [place, value] of gasDays(response)) {
    const one = readRow(gasDaySchema, value, `#${place}`, rejected);
    if (one) rows.set(one.gasDayStart, dayOf(one));
  }
  return { rows: [...rows.values()], rejected };
}

/** Converts a gas day of the source. The source already reports the stored gas in terawatt-hours. */
function dayOf({ gasDayStart, full, gasInStorage }: z.output<typeof gasDaySchema>): ParsedDay {
  return { date: gasDayStart, fillPct: full, gasTwh: gasInStorage };
}

const terms = { keyParts: ["place"], step: "day", shownBy: EconomicService.method.getEuGasStorage } as const;

const fill = seriesOfField({ ...terms, id: "gas.fill" }, EuGasStorageDaySchema.field.fillPct);
const stored = seriesOfField({ ...terms, id: "gas.stored" }, EuGasStorageDaySchema.field.gasTwh);

const gasSeries: DatasetSeries = {
  ...seriesOfMessage(GetEuGasStorageResponseSchema, [fill, stored], ({ history }) => history.flatMap(pointsOf)),
  backfill: gasBackfill(pointsOf),
};

function pointsOf({ date, fillPct, gasTwh }: GasDay): SeriesPoint[] {
  const at = new Date(date);
  return [
    { series: fill, key: "EU", at, value: rounded(fillPct, 2) },
    { series: stored, key: "EU", at, value: rounded(gasTwh, 1) },
  ];
}

interface GasDay {
  readonly date: string;
  readonly fillPct: number;
  readonly gasTwh: number;
}

function gasBackfill(pointsOf: (day: GasDay) => readonly SeriesPoint[]): Backfill {
  return {
    source: agsi,
    begins: "2011-01-01",
    async read(upstream, span) {
      const responses = await allGasDays(upstream, { type: "eu", ...span });
      const days = responses.flatMap((response) => agsi.parse(response, upstream.now).rows);
      return days.flatMap(({ date = "", fillPct = 0, gasTwh = 0 }) => pointsOf({ date, fillPct, gasTwh }));
    },
  };
}

type GasStorage = MessageInitShape<typeof GetEuGasStorageResponseSchema>;

const servedDays = 5;
/** The average withdrawal of gas in the EU on a winter day, in terawatt-hours. */
const winterTwhPerDay = 18;
/** If the fill level changes by at most this number of percentage points per day, it counts as stable. */
const stableWithin = 0.05;
const retainedMs = 72 * hourMs;
/**
 * Maximum age of the newest gas day. A gas day is published on the evening after it, so an older one means that the
 * source has published nothing for about three days.
 */
const oldestDayMs = 6 * dayMs;

export const euGasStorage = snapshot({
  name: "eu-gas-storage",
  subject: "Daily fill level of the European Union's gas storage.",
  notIncluded: [
    "gas injection, gas withdrawal: fill level and stored energy by day",
    "gas prices, pipeline flows: no dataset has prices of energy or flows of pipelines",
  ],
  row: EuGasStorageDaySchema,
  message: GetEuGasStorageResponseSchema,
  series: gasSeries,
  // Each gas day is published at about 18:30 and 22:00 UTC of the next day.
  schedule: "45 6,18,22 * * *",
  freshForMinutes: 48 * 60,
  serves: [EconomicService.method.getEuGasStorage],
  sources: [agsi],
  combine: ({ bySource, now }) => gasStorage([...bySource.values()].flat(), now),
  count: ({ history }) => history.length,
});

type Day = Pick<EuGasStorageDay, "date">;

export function gasStorage(days: readonly EuGasStorageDay[], readAt: Date): GasStorage {
  const known = [...days].sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-servedDays);
  const latest = known.at(-1);
  if (!latest) return { unavailable: true };
  const change = changeSince(known.at(-2), latest);
  return {
    fillPct: rounded(latest.fillPct, 2),
    fillPctChange1d: change,
    gasDaysConsumption: rounded(latest.gasTwh / winterTwhPerDay, 0),
    trend: trendOf(change),
    history: known.map(({ date, fillPct, gasTwh }) => ({
      date,
      fillPct: rounded(fillPct, 2),
      gasTwh: rounded(gasTwh, 1),
    })),
    seededAt: BigInt(readAt.getTime()),
    updatedAt: latest.date,
  };
}

/** Returns the EU gas storage. If the source has published nothing for too long, it is marked as unavailable. */
export function gasStorageAt(stored: GetEuGasStorageResponse | undefined, now: Date): GasStorage {
  if (!stored) return { unavailable: true };
  const isOld =
    now.getTime() - Number(stored.seededAt) > retainedMs || now.getTime() - Date.parse(stored.updatedAt) >= oldestDayMs;
  const [previous, latest] = stored.history.slice(-2);
  const current = { ...stored, hasFillPctChange1d: isNextDay(previous, latest) };
  return isOld ? { ...current, unavailable: true } : current;
}

/** Returns the change of the fill level since the previous day, or 0 if that day is missing. */
function changeSince(previous: EuGasStorageDay | undefined, latest: EuGasStorageDay): number {
  return previous && isNextDay(previous, latest) ? rounded(latest.fillPct - previous.fillPct, 2) : 0;
}

function isNextDay(previous: Day | undefined, latest: Day | undefined): boolean {
  return (
    previous !== undefined && latest !== undefined && Date.parse(latest.date) - Date.parse(previous.date) === dayMs
  );
}

function trendOf(change: number): string {
  if (change > stableWithin) return "injecting";
  return change < -stableWithin ? "withdrawing" : "stable";
}

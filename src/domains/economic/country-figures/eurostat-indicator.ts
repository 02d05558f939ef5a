import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { UpstreamError } from "../../../errors.ts";
import { rejection } from "../../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { askEurostat, eurostatFacts } from "../../../providers/eurostat/eurostat.ts";
import { type Cell, cellsOf } from "../../../providers/eurostat/json-stat.ts";
import { rounded } from "../../../reference/rounding.ts";
import { geos, type IndicatorTerms } from "./eu-indicator.ts";

type IndicatorRow = MessageInitShape<typeof EuIndicatorRowSchema>;

const geosInBatch = 4;

/** How a period of each frequency is written, and how Eurostat is told the first one of a year. */
const periods = {
  A: { written: /^\d{4}$/, first: "" },
  Q: { written: /^\d{4}-Q[1-4]$/, first: "-Q1" },
  M: { written: /^\d{4}-(0[1-9]|1[0-2])$/, first: "-01" },
} as const;

/** Eurostat's values of one indicator, one row a place. */
export function eurostatIndicator(terms: IndicatorTerms): Source<IndicatorRow> {
  const { name, table, unit, places, frequency, yearsBack, minGeos } = terms;
  return {
    name,
    ...eurostatFacts,
    rows: { atLeast: minGeos, mayBeEmpty: false },
    async fetch(upstream) {
      const sinceTimePeriod = `${upstream.now.getUTCFullYear() - yearsBack}${periods[frequency].first}`;
      const batches: unknown[] = [];
      for (let start = 0; start < geos.length; start += geosInBatch) {
        const geo = geos.slice(start, start + geosInBatch);
        batches.push(await askEurostat(upstream, table, { geo, unit, ...places, sinceTimePeriod }));
      }
      return batches;
    },
    parse: (answer, now) => parseBatches(terms, answer, now),
    observedAt: ({ points = [] }) => startOf(points.at(-1)?.date ?? ""),
  };
}

const batchesSchema = z.array(z.unknown()).min(1);

function parseBatches(terms: IndicatorTerms, answer: unknown, now: Date): Parsed<IndicatorRow> {
  const batches = batchesSchema.safeParse(answer);
  if (!batches.success) throw new UpstreamError(`Eurostat: ${rejection("", batches.error).reason}`);
  const rejected: Rejection[] = [];
  const byGeo = new Map<string, Map<string, number>>();
  for (const cell of batches.data.flatMap((batch) => cellsOf("Eurostat", batch))) {
    const { geo = "", time = "" } = cell.at;
    const reported = byGeo.get(geo) ?? new Map<string, number>();
    const reason = reasonAgainst(terms, cell, now) ?? (reported.has(time) ? "is told twice" : undefined);
    if (reason !== undefined) rejected.push({ row: `${geo} ${time}`, reason });
    else byGeo.set(geo, reported.set(time, rounded(cell.value, 2)));
  }
  const rows = Array.from(byGeo, ([id, parsed]) => {
    const points = Array.from(parsed, ([date, value]) => ({ date, value }));
    return { id, points: points.sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-terms.points) };
  });
  return { rows, rejected };
}

function reasonAgainst({ unit, places, frequency }: IndicatorTerms, { at }: Cell, now: Date): string | undefined {
  const { geo = "", time = "" } = at;
  if (!geos.includes(geo)) return "is of a place that was not asked for";
  for (const [dimension, code] of Object.entries({ unit, ...places }))
    if (at[dimension] !== code) return `is of ${dimension} ${at[dimension]}, not of ${code}`;
  if (!periods[frequency].written.test(time)) return "is of no such period";
  return startOf(time) > now.getTime() ? "is of a period that has not begun" : undefined;
}

/** First moment of a year, quarter or month, Unix epoch milliseconds. */
function startOf(period: string): number {
  const [year, part = "1"] = period.split("-");
  const month = part.startsWith("Q") ? 3 * (Number(part.slice(1)) - 1) : Number(part) - 1;
  return Date.UTC(Number(year), month);
}

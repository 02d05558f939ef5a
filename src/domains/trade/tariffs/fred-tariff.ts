import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TariffRowSchema } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { day } from "../../../ingest/row-fields.ts";
import { type Parsed, type Rejection, readAs, readRow, type Source } from "../../../ingest/source.ts";
import { fetchFredSeries, fredMetadata, fredMissing, fredResponseSchema } from "../../../providers/fred/fred.ts";
import { decimal } from "../../../providers/wto/wto-series.ts";
import type { Upstream } from "../../../upstream/upstream.ts";

type Row = MessageInitShape<typeof TariffRowSchema>;

const unitedStates = "840";
const duties = "B235RC1Q027SBEA";
const imports = "A255RC1Q027SBEA";

export const collectedTariffOrigin = {
  sourceName: "FRED (BEA)",
  sourceUrl: `https://fred.stlouisfed.org/series/${duties}`,
} as const;

/** Quarterly customs duties of the United States and its imports of goods. Their ratio is the collected tariff. */
export const fredTariff: Source<Row> = {
  name: "fred-tariff",
  license: {
    kind: "attribution",
    publisher: "Federal Reserve Bank of St. Louis",
    terms: "FRED API terms of use; the series of the BEA are public domain",
  },
  ...fredMetadata,
  rows: { atLeast: 1, mayBeEmpty: false },
  async fetch(upstream) {
    return { [duties]: await observations(upstream, duties), [imports]: await observations(upstream, imports) };
  },
  parse: parseLatest,
  observedAt: ({ reported }) =>
    reported?.case === "collected" ? Date.parse(reported.value.quarter ?? "") : Number.NaN,
};

function observations(upstream: Upstream, series: string): Promise<unknown> {
  return fetchFredSeries(upstream, series, { sort_order: "desc", limit: "20" });
}

const observationSchema = z.object({ date: day, value: decimal });

function parseLatest(responses: unknown): Parsed<Row> {
  const rejected: Rejection[] = [];
  const read = z.record(z.string(), z.unknown()).parse(responses);
  const paid = byQuarter(duties, read[duties], rejected);
  const bought = byQuarter(imports, read[imports], rejected);
  const [latest] = [...paid]
    .map(([quarter, value]) => ({
      reporter: unitedStates,
      quarter,
      duties: value,
      imports: bought.get(quarter) ?? "0",
    }))
    .filter((pair) => Number(pair.imports) > 0)
    .sort((a, b) => b.quarter.localeCompare(a.quarter));
  if (!latest) throw new UpstreamError(`FRED has no rows of ${duties} and ${imports} of the same quarter`);
  return { rows: [{ reported: { case: "collected", value: latest } }], rejected };
}

function byQuarter(series: string, response: unknown, rejected: Rejection[]): Map<string, string> {
  const read = readAs(`FRED ${series}`, fredResponseSchema, response);
  const values = new Map<string, string>();
  for (const [place, value] of read.observations.entries()) {
    if (fredMissing.safeParse(value).success) continue;
    const one = readRow(observationSchema, value, `${series} #${place}`, rejected);
    if (one) values.set(one.date, one.value);
  }
  return values;
}

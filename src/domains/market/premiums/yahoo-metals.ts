import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MetalQuoteSchema } from "../../../../gen/es/ids/stored/v1/metal_pb.ts";
import { type Parsed, type Rejection, readRow, type Source } from "../../../ingest/source.ts";
import { fetchChart, metaSchema, readChart, yahooMetadata } from "../../../providers/yahoo/yahoo-chart.ts";
import { metals } from "../metals.ts";

type Quote = MessageInitShape<typeof MetalQuoteSchema>;

/** The last prices of COMEX futures on gold and silver from Yahoo Finance. */
export const yahooMetals: Source<Quote> = {
  name: "yahoo-metals",
  ...yahooMetadata,
  rows: { atLeast: metals.length, mayBeEmpty: false },
  fetch: (upstream) => Promise.all(metals.map(({ future }) => fetchChart(upstream, future, "1d"))),
  parse: parseCharts,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

function parseCharts(responses: unknown): Parsed<Quote> {
  const charts = z.array(z.unknown()).parse(responses);
  const rows: Quote[] = [];
  const rejected: Rejection[] = [];
  for (const [place, { future }] of metals.entries()) {
    const meta = readRow(priceSchema(future), readChart(charts[place], future).meta, future, rejected);
    if (meta) rows.push({ symbol: future, ...meta, source: `COMEX ${future} futures snapshot` });
  }
  return { rows, rejected };
}

/** Prices change in steps of thousandths, so more decimals are inaccuracies of floating-point numbers. */
const priceDecimals = 6;

const priceSchema = (future: string) =>
  metaSchema(future).transform(({ price, asOf }) => ({ price: String(Number(price.toFixed(priceDecimals))), asOf }));

import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MetalQuoteSchema } from "../../../gen/es/ids/stored/v1/metal_pb.ts";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { metals } from "./metals.ts";

type Quote = MessageInitShape<typeof MetalQuoteSchema>;

const charts = "https://query1.finance.yahoo.com/v8/finance/chart";

/** Yahoo Finance: the last prices of the COMEX futures. */
export const yahooMetals: Source<Quote> = {
  name: "yahoo-metals",
  licence: { kind: "restricted", terms: "Yahoo terms of service; redistribution is not permitted" },
  variables: [],
  rows: { atLeast: metals.length, mayBeEmpty: false },
  fetch: (upstream: Upstream) =>
    Promise.all(metals.map(({ future }) => upstream.json({ url: `${charts}/${future}?interval=1d&range=1d` }))),
  parse: parseCharts,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

const answerSchema = z.array(
  z.object({ chart: z.object({ result: z.array(z.object({ meta: z.unknown() })).nullable(), error: z.unknown() }) }),
);

function parseCharts(answer: unknown): Parsed<Quote> {
  const read = answerSchema.safeParse(answer);
  if (!read.success) throw new UpstreamError(`Yahoo: ${rejection("", read.error).reason}`);
  const rows: Quote[] = [];
  const rejected: Rejection[] = [];
  for (const [place, { future }] of metals.entries()) {
    const chart = read.data[place]?.chart;
    if (!chart?.result || chart.error) throw new UpstreamError(`Yahoo has no chart of ${future}`);
    const meta = metaSchema(future).safeParse(chart.result[0]?.meta);
    if (meta.success) rows.push({ symbol: future, ...meta.data, source: `COMEX ${future} futures snapshot` });
    else rejected.push(rejection(future, meta.error));
  }
  return { rows, rejected };
}

/** Ticks are thousandths; the floats behind them are longer. */
const priceDecimals = 6;

const metaSchema = (future: string) =>
  z
    .object({
      symbol: z.literal(future),
      currency: z.literal("USD"),
      regularMarketPrice: z.number().min(0.01).max(1e9),
      /** Epoch seconds; a price without it has no known time. */
      regularMarketTime: z.int().positive().max(253_402_300_799).nullish(),
    })
    .transform(({ regularMarketPrice: price, regularMarketTime: seconds }) => ({
      price: String(Number(price.toFixed(priceDecimals))),
      asOf: seconds ? new Date(seconds * 1000).toISOString() : "",
    }));

import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import type { Source } from "../../ingest/source.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const charts = "https://query1.finance.yahoo.com/v8/finance/chart";
/** Charts are requested one after another, so a slow one delays the others. A chart usually arrives quickly. */
const timeoutMs = 10_000;

/** Yahoo offers no license for this data. The operator must decide whether its terms permit the use. */
export const yahooMetadata = {
  license: { kind: "restricted", publisher: "Yahoo", terms: "Yahoo terms of service; redistribution is not permitted" },
  access: {
    signUp: "https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html",
    cost: "no offer: ask Yahoo for permission",
    quota: "none published",
    terms: "https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html",
    rejection: "Yahoo rejected the program or its address. This changes over time.",
  },
} as const satisfies Partial<Source<unknown>>;

/** The chart of one symbol: its metadata and its daily closing prices, oldest first. */
export interface Chart {
  readonly meta: unknown;
  readonly closes: readonly number[];
}

/** Fetches a chart. The user agent is that of a browser, because Yahoo rejects others. */
export function fetchChart(upstream: Upstream, symbol: string, range: string): Promise<unknown> {
  return upstream.json({ url: `${charts}/${symbol}?interval=1d&range=${range}`, likeBrowser: true, timeoutMs });
}

const bars = z.object({ close: z.array(z.number().nullable()).nullish() });
const resultSchema = z.object({
  meta: z.unknown(),
  indicators: z.object({ quote: z.array(bars) }).nullish(),
});
const responseSchema = z.object({ chart: z.object({ result: z.array(resultSchema).nullable(), error: z.unknown() }) });

/** Reads the chart of a symbol. Days without a trade are omitted, because they have no closing price. */
export function readChart(response: unknown, symbol: string): Chart {
  const read = responseSchema.safeParse(response);
  if (!read.success) throw new UpstreamError(`Yahoo sent the chart of ${symbol} in another format`);
  const { result, error } = read.data.chart;
  if (!result || error) throw new UpstreamError(`Yahoo has no chart of ${symbol}`);
  const closes = result[0]?.indicators?.quote[0]?.close ?? [];
  return { meta: result[0]?.meta, closes: closes.filter((close) => close !== null) };
}

export function metaSchema(symbol: string) {
  return z
    .object({
      symbol: z.literal(symbol),
      currency: z.literal("USD"),
      regularMarketPrice: z.number().min(0.01).max(1e9),
      /** The time of `regularMarketPrice` in Unix epoch seconds. It is absent if Yahoo does not know the time. */
      regularMarketTime: z.int().positive().max(253_402_300_799).nullish(),
    })
    .transform(({ regularMarketPrice: price, regularMarketTime: seconds }) => ({
      price,
      asOf: seconds ? new Date(seconds * 1000).toISOString() : "",
    }));
}

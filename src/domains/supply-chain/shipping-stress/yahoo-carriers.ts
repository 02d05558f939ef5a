import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ShippingCarrierSchema } from "../../../../gen/es/ids/supply_chain/v1/shipping_stress_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../../ingest/source.ts";
import { fetchChart, metaSchema, readChart, yahooMetadata } from "../../../providers/yahoo/yahoo-chart.ts";
import { rounded } from "../../../reference/rounding.ts";
import type { Upstream } from "../../../upstream/upstream.ts";

/** The shares and funds from which the stress is computed, in response order. */
const carriers = [
  { symbol: "BDRY", name: "Breakwave Dry Bulk ETF", carrierType: "etf" },
  { symbol: "ZIM", name: "ZIM Integrated Shipping", carrierType: "carrier" },
  { symbol: "MATX", name: "Matson Inc", carrierType: "carrier" },
  { symbol: "SBLK", name: "Star Bulk Carriers", carrierType: "carrier" },
  // Genco replaces Eagle Bulk, whose shares ended when it merged into Star Bulk in 2024.
  { symbol: "GNK", name: "Genco Shipping & Trading", carrierType: "carrier" },
] as const;

type Carrier = MessageInitShape<typeof ShippingCarrierSchema>;

const sparklineCloses = 30;

/** Daily closing prices of each carrier in the last month, from Yahoo Finance. */
export const yahooCarriers: Source<Carrier> = {
  name: "yahoo-carriers",
  ...yahooMetadata,
  rows: { atLeast: 1, mayBeEmpty: false },
  fetch: fetchCharts,
  parse: parseCharts,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

const responseSchema = z.object({ symbol: z.string(), chart: z.unknown(), missing: z.string().optional() });

/** With these statuses, Yahoo rejects this client, so requests for other symbols would fail too. */
const rejections: readonly (number | undefined)[] = [401, 403, 429];

/** Fetches each symbol. A failed symbol is reported as missing. Throws if all fail, or if Yahoo rejects the client. */
async function fetchCharts(upstream: Upstream): Promise<z.input<typeof responseSchema>[]> {
  const responses: z.input<typeof responseSchema>[] = [];
  let failure: UpstreamError | undefined;
  for (const { symbol } of carriers) {
    try {
      responses.push({ symbol, chart: await fetchChart(upstream, symbol, "1mo") });
    } catch (error) {
      if (!(error instanceof UpstreamError) || rejections.includes(error.status)) throw error;
      failure = error;
      responses.push({ symbol, chart: null, missing: error.message });
    }
  }
  if (failure && responses.every(({ missing }) => missing !== undefined)) throw failure;
  return responses;
}

function parseCharts(response: unknown): Parsed<Carrier> {
  const responses = new Map(
    z
      .array(responseSchema)
      .parse(response)
      .map((one) => [one.symbol, one]),
  );
  const rows: Carrier[] = [];
  const rejected: Rejection[] = [];
  for (const carrier of carriers) {
    const { chart, missing } = responses.get(carrier.symbol) ?? { chart: null, missing: "no response" };
    const read = missing === undefined ? carrierOf(carrier, chart) : { row: carrier.symbol, reason: missing };
    if ("reason" in read) rejected.push(read);
    else rows.push(read);
  }
  return { rows, rejected };
}

function carrierOf(carrier: (typeof carriers)[number], response: unknown): Carrier | Rejection {
  const { symbol } = carrier;
  if (isUnknown(response)) return { row: symbol, reason: "Yahoo has no chart of it" };
  const { meta, closes } = readChart(response, symbol);
  const read = metaSchema(symbol).safeParse(meta);
  if (!read.success) return rejection(symbol, read.error);
  const [previous, last] = closes.slice(-2);
  // `chartPreviousClose` is the close before the whole range, so the previous day's close is read from the list.
  if (!previous || last === undefined) return { row: symbol, reason: "fewer than two closes" };
  return {
    ...carrier,
    ...read.data,
    changePct: rounded((100 * (last - previous)) / previous, 2),
    sparkline: closes.slice(-sparklineCloses),
  };
}

/** Yahoo's response for a symbol that is no longer listed. It can have status 200. */
const unknownSchema = z.object({ chart: z.object({ result: z.null(), error: z.object({ code: z.string() }) }) });

function isUnknown(response: unknown): boolean {
  return unknownSchema.safeParse(response).success;
}

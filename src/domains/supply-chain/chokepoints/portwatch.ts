import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { day } from "../../../ingest/row-fields.ts";
import { readSeries, requestSeries, type SeriesResponses } from "../../../ingest/series-responses.ts";
import { type Parsed, type Rejection, readAs, readRows, type Source } from "../../../ingest/source.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { chokepoints } from "../../../reference/trade/chokepoints.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import type { Reading } from "./reading.ts";

const address =
  "https://services9.arcgis.com/weJ1QsnbMYJlCHdG/arcgis/rest/services/Daily_Chokepoints_Data/FeatureServer/0/query";
const fields = ["date", "n_total", "n_tanker", "capacity_tanker"];
const daysRequested = 180;
const retentionDays = 200;
const pageSize = 1_000;
const maxPages = 20;
/** A response without rows may be due to throttling, so it is requested again after this pause. */
const throttledMs = 5_000;
const lastTime = Date.UTC(9999, 11, 31);

/** Daily ships through each chokepoint. The source is updated weekly, with values up to five to ten days ago. */
export const portWatch: Source<Reading> = {
  name: "portwatch",
  license: {
    kind: "attribution",
    publisher: "IMF PortWatch",
    terms: "IMF PortWatch, under the terms of the IMF's data",
  },
  rows: { atLeast: 100, mayBeEmpty: false },
  minutesApart: 6 * 60 - 5,
  covers: { days: daysRequested },
  remember: {
    key: (row) =>
      row.reported?.case === "transits" ? `${row.reported.value.chokepointId} ${row.reported.value.day}` : "",
    retains: (row, now) => now.getTime() - observedAt(row) < retentionDays * dayMs,
  },
  observedAt,
  fetch: (upstream) => fetchTransits(upstream, isoDay(upstream.now.getTime() - daysRequested * dayMs)),
  parse: parseTransits,
};

function observedAt({ reported }: Reading): number {
  return reported?.case === "transits" ? Date.parse(reported.value.day ?? "") : Number.NaN;
}

/** Requests the days from the day `from`, YYYY-MM-DD, to the newest one. */
export function fetchTransits(upstream: Upstream, from: string): Promise<SeriesResponses> {
  const names = new Map<string, string>(chokepoints.map(({ id, portWatchName }) => [id, portWatchName]));
  return requestSeries("PortWatch", [...names.keys()], async (id) => {
    const name = names.get(id) ?? "";
    const pages = await pagesOf(upstream, name, from);
    if (featuresOf(pages[0]).length > 0) return pages;
    await upstream.pause?.(throttledMs);
    return pagesOf(upstream, name, from);
  });
}

async function pagesOf(upstream: Upstream, name: string, from: string): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let offset = 0; pages.length < maxPages; ) {
    const query = new URLSearchParams({
      where: `portname='${name}' AND date >= timestamp '${from} 00:00:00'`,
      outFields: fields.join(),
      orderByFields: "date ASC",
      resultOffset: String(offset),
      resultRecordCount: String(pageSize),
      f: "json",
    });
    const page = await upstream.json({ url: `${address}?${query}` });
    pages.push(page);
    const { features, exceededTransferLimit } = readPage(page);
    if (!exceededTransferLimit || features.length === 0) return pages;
    offset += features.length;
  }
  throw new UpstreamError(`PortWatch: ${name} does not end`);
}

const pageSchema = z.object({ features: z.array(z.unknown()), exceededTransferLimit: z.boolean().optional() });
/** The server sends errors in this format with status 200. */
const errorSchema = z.object({ error: z.object({ code: z.number(), message: z.string() }) });

function readPage(page: unknown): z.output<typeof pageSchema> {
  const error = errorSchema.safeParse(page).data?.error;
  if (error) throw new UpstreamError(`PortWatch: ${error.code} ${error.message}`);
  return readAs("PortWatch", pageSchema, page);
}

function featuresOf(page: unknown): readonly unknown[] {
  return readPage(page).features;
}

/** Schema of the day. The source has written it as epoch milliseconds at times, and as text at others. */
const reportedDay = z
  .union([
    z
      .number()
      .min(0)
      .max(lastTime)
      .transform((at) => new Date(at).toISOString()),
    z.string(),
  ])
  .pipe(day);
const count = z.number().int().nonnegative();
const featureSchema = z.object({
  attributes: z.object({
    date: reportedDay,
    n_total: count,
    n_tanker: count,
    capacity_tanker: z.number().nonnegative().nullish(),
  }),
});

/** Parses the rows. A chokepoint without any row counts as missing, and its stored rows remain. */
export function parseTransits(response: unknown): Parsed<Reading> {
  const parsed = readSeries<Reading>("PortWatch", response, ({ series: chokepointId, answer: pages }) => {
    const rows: Reading[] = [];
    const rejected: Rejection[] = [];
    const features = z.array(z.unknown()).parse(pages).flatMap(featuresOf);
    if (features.length === 0)
      return { rows, rejected, missing: [{ part: chokepointId, reason: "no rows were returned" }] };
    for (const { attributes } of readRows(featureSchema, features, rejected, (place) => `${chokepointId} #${place}`))
      rows.push(rowOf(chokepointId, attributes));
    return { rows, rejected };
  });
  return { ...parsed, complete: true };
}

function rowOf(chokepointId: string, reported: z.output<typeof featureSchema>["attributes"]): Reading {
  const { date, n_total: ships, n_tanker: tankers, capacity_tanker: tankerCapacity } = reported;
  const value = { chokepointId, day: date, ships, tankers };
  return {
    reported: { case: "transits", value: typeof tankerCapacity === "number" ? { ...value, tankerCapacity } : value },
  };
}

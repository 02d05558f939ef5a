import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { cellTime, type Interval, overlaps } from "../../contract/cell-time.ts";
import type { Place } from "../../contract/columns.ts";
import { isUnheldReason } from "../../contract/held-period.ts";
import { nextCursorReader, pagesTotalReader, pagingOf } from "../../contract/paging.ts";
import { readQuery } from "../../contract/read-parameters.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { DataChanged, invalidField } from "../../errors.ts";
import { type Part, partOf } from "../../http/batch/part.ts";
import { charge, type Exchange } from "../../http/exchange.ts";
import { requireConfirmed } from "../../http/rest/formats/file-response.ts";
import { featureId } from "../../http/rest/formats/geojson.ts";
import type { RowPlan } from "../../http/rest/formats/row-plan.ts";
import { type PreparedResponse, plainOf } from "../../http/rest/prepared-response.ts";
import { type Box, isInBox, isInTile, nextTile, tileAt, world } from "../../reference/box.ts";
import type { Collection } from "./collections.ts";

/** Maximum number of reads per request. If more are needed, the page has fewer features and a link to the next page. */
const maxReads = 5;
/** Maximum digits in the path of a part of the world. Such a part is a few meters wide. */
const maxDepth = 25;

const positionSchema = z.strictObject({
  /** The versions of the datasets. If they change, the next page would repeat or miss features. */
  version: z.string(),
  /** Cursor of the page of the read. */
  cursor: z.string(),
  /** Path of the part of the box that is being read. To get all rows, a read without pages may be read in parts. */
  tile: z
    .string()
    .regex(/^[0-3]*$/)
    .max(maxDepth),
  /** ID of the last feature on the previous page; empty if the page starts with a new response of the read. */
  after: z.string(),
});

/** The position at which a page of features starts. */
export type Position = z.infer<typeof positionSchema>;

export function writePosition(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Parses the cursor of a page. Throws `InvalidRequest` for any other text. */
export function readPosition(text: string): Position {
  try {
    return positionSchema.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    throw invalidField("cursor", "value must come from the `next` link of a page");
  }
}

export interface FeaturesRequest {
  readonly selection: Selection;
  /** Maximum number of features on the page. `size` is the number of rows that each read requests. */
  readonly limit: number;
  readonly size: number;
  readonly from?: Position | undefined;
  /** Coordinate reference system of the response. */
  readonly crs: string;
}

interface Selection {
  readonly box?: Box | undefined;
  readonly interval?: Interval | undefined;
  readonly id?: string;
  /** Parameters of the client that the read receives unchanged. */
  readonly passed: readonly [name: string, value: string][];
}

export interface FeaturePage extends Pick<FeaturesRequest, "crs"> {
  readonly rows: readonly Place[];
  readonly plan: RowPlan;
  /** Headers of the last response of the read, as a list in which names and values alternate. */
  readonly headers: readonly string[];
  /** Number of all features that match the request; undefined if it is unknown. */
  readonly matched: number | undefined;
  readonly next: Position | undefined;
}

interface Walk {
  readonly exchange: Exchange;
  readonly collection: Collection;
  readonly selection: Selection;
}

/** Reads a page of features. Throws the errors of the read, or `DataChanged` if data changed since the first page. */
export async function readFeatures(
  exchange: Exchange,
  collection: Collection,
  { selection, limit, size, from, crs }: FeaturesRequest,
): Promise<FeaturePage> {
  const walk = { exchange, collection, selection };
  const idOf = featureId(collection.table);
  const headersBefore = exchange.headers.length;
  const rows: Place[] = [];
  let position: Position = from ?? { version: "", cursor: "", tile: "", after: "" };
  for (let reads = 1; ; reads++) {
    const { version, tile, after } = position;
    const read = await runRead(walk, position, size, headersBefore);
    if (version !== "" && version !== read.version) throw new DataChanged(changed);
    const wanted = read.isCut ? [] : read.rows.filter(isWantedIn(walk, tile));
    const known = after === "" ? 0 : wanted.findIndex((row) => String(idOf(row)) === after) + 1;
    if (after !== "" && known === 0) throw new DataChanged(changed);
    const last = wanted[known + limit - rows.length - 1];
    rows.push(...wanted.slice(known, known + limit - rows.length));
    const isLast = last === undefined || last === wanted.at(-1);
    const next = isLast ? positionAfter(read, tile) : { ...position, version: read.version, after: String(idOf(last)) };
    if (!next || rows.length >= limit || reads >= maxReads) {
      const isWhole = tile === "" && !read.isCut && read.rows.length < collection.parameters.maxRows;
      const matched = collection.parameters.page ? totalOf(walk, read) : isWhole ? wanted.length : undefined;
      return { ...read, rows, next, matched, crs };
    }
    position = next;
    // Other requests run between the reads.
    await nextTurn();
  }
}

const changed = "The data changed since the first page: read it again without a cursor";

function positionAfter({ version, cursor, isCut }: Read, before: string): Position | undefined {
  const tile = isCut ? `${before}0` : cursor === "" ? nextTile(before) : before;
  return tile === undefined ? undefined : { version, cursor, tile, after: "" };
}

/** Returns the number of rows on all pages of the read; undefined if not all of these rows match the request. */
function totalOf({ collection, selection }: Walk, { body, plan }: Read): number | undefined {
  const { operation, table, time, parameters } = collection;
  const isExact =
    (!selection.box || parameters.hasBox) &&
    (!selection.interval || parameters.hasInterval || !time) &&
    plan.metadata.withheld.length === 0 &&
    pagingOf(operation)?.items.jsonName === table.name;
  const total = isExact ? pagesTotalReader(operation)(body) : undefined;
  return total && !total.isCapped ? total.rows : undefined;
}

interface Read extends Pick<FeaturePage, "rows" | "plan" | "headers"> {
  readonly body: JsonObject;
  /** Cursor of the next page of the read; empty after the last. */
  readonly cursor: string;
  readonly version: string;
  /** True if the response lacks some rows of the box, so that each quarter of the box must be read. */
  readonly isCut: boolean;
}

/** Runs a read as if the client had requested it. Its headers replace those of the previous read in the response. */
async function runRead(walk: Walk, position: Position, size: number, headersBefore: number): Promise<Read> {
  const { exchange, collection, selection } = walk;
  const { operation, readOperation, table, parameters } = collection;
  const { box, interval, id, passed: filters } = selection;
  const { cursor, tile } = position;
  // A read without pages may lack rows of a large box, so it always gets a box.
  const part = box || !parameters.page ? tileAt(box ?? world, tile) : undefined;
  const target = `${operation.path}?${readQuery(parameters, { box: part, interval, id, size, cursor, filters })}`;
  const { known, session } = exchange;
  const inner: Part = {
    ...partOf(exchange, target, exchange.signal()),
    ...(known && { known }),
    ...(session && { session }),
  };
  let response: PreparedResponse;
  try {
    response = await collection.respond(inner, inner.query, target);
  } finally {
    charge(exchange, inner);
    exchange.headers.splice(headersBefore, Number.POSITIVE_INFINITY, ...inner.headers);
  }
  const body = plainOf(response);
  // If no data is held for an interval, the response has no features and a header, because errors stop map programs.
  if (!isUnheldReason(body.unavailableReason)) requireConfirmed({ table }, body, response);
  const { message } = readOperation.decode(inner.query, target);
  const { notModified: headers } = response.identity;
  const plan = readOperation.planRows({ ...rows, table }, message, { lasting: headers, readAt: response.readAt });
  return {
    ...{ plan, body, headers, rows: plan.rowsOf(body) },
    cursor: parameters.page ? nextCursorReader(operation)(body) : "",
    version: JSON.stringify([...(response.generations ?? [])]),
    isCut: parameters.hasBox && body.truncated === true && position.tile.length < maxDepth,
  };
}

/** Options for the rows of a page: all columns of the JSON response. */
const rows = { format: "geojson", columns: "path", all: false } as const;

/**
 * Returns a test for rows that the request selects. A row without a place is in every box, and one without a time in
 * every interval, as the standard demands.
 */
function isWantedIn({ collection, selection }: Walk, tile: string): (place: Place) => boolean {
  const { table, time } = collection;
  const { box, interval, id } = selection;
  const part = tileAt(box ?? world, tile);
  const idOf = featureId(table);
  return (place) => {
    if (id !== undefined && String(idOf(place)) !== id) return false;
    const [x, y] = [table.longitude?.read(place), table.latitude?.read(place)];
    const isPlaced = typeof x === "number" && typeof y === "number";
    if (tile !== "" && !(isPlaced && isInTile(part, x, y))) return false;
    if (box && isPlaced && !isInBox(box, x, y)) return false;
    const own = interval && time && cellTime(time, time.read(place));
    return !interval || !own || overlaps(interval, own);
  };
}

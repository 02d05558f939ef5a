import { asOfParameter } from "../../contract/as-of.ts";
import type { Interval } from "../../contract/cell-time.ts";
import { parseRequestTime, timeWords } from "../../contract/request/request-time.ts";
import { InvalidRequest, invalidField, type Violation } from "../../errors.ts";
import type { Box } from "../../reference/box.ts";
import type { Collection } from "./collections.ts";
import { crs84, isLatitudeFirst, systems } from "./crs.ts";
import { type FeaturesRequest, readPosition } from "./feature-walk.ts";

/** Maximum numbers of features on a page. A page in HTML is a table for people, which takes longer to write. */
export const limits = { min: 1, max: 1_000, maxInHtml: 100, default: 10 };

const ownNames: readonly string[] = ["f", "limit", "bbox", "bbox-crs", "crs", "datetime", "cursor"];

/** Parses the query of a page of at most `max` features. Throws `InvalidRequest`. */
export function featuresRequest(
  query: URLSearchParams,
  { parameters, hasPast }: Collection,
  max: number,
): FeaturesRequest {
  const filters = parameters.filters.map(({ name }) => name);
  requireKnown(query, [...ownNames, ...filters, ...(hasPast ? [asOfParameter] : [])]);
  const read = <T>(name: string, reader: (text: string) => T): T | undefined => {
    const given = query.get(name);
    return given === null ? undefined : reader(given);
  };
  const boxCrs = readCrs(query, "bbox-crs");
  const box = read("bbox", (text) => readBox(text, isLatitudeFirst(boxCrs)));
  const [interval, from] = [read("datetime", readInterval), read("cursor", readPosition)];
  const limit = Math.min(read("limit", readLimit) ?? limits.default, max);
  const passed = [...query].filter(([name, value]) => value !== "" && !ownNames.includes(name));
  return { selection: { box, interval, passed }, limit, size: limit, from, crs: readCrs(query, "crs") };
}

/** Parses the query for a single feature. Throws `InvalidRequest`. */
export function featureRequest(query: URLSearchParams, collection: Collection, id: string): FeaturesRequest {
  requireKnown(query, ["f", "crs", ...(collection.hasPast ? [asOfParameter] : [])]);
  const passed = [...query].filter(([name]) => name === asOfParameter);
  const size = collection.parameters.id === undefined ? limits.max : 1;
  return { selection: { id, passed }, limit: 1, size, crs: readCrs(query, "crs") };
}

/** Throws `InvalidRequest` for a parameter that the resource does not have, or that occurs twice. */
export function requireKnown(query: URLSearchParams, known: readonly string[]): void {
  const violations = [...new Set(query.keys())].flatMap((field): Violation[] => {
    if (!known.includes(field)) return [{ field, description: `unknown parameter; known are ${known.join(", ")}` }];
    return query.getAll(field).length > 1 ? [{ field, description: "value must occur only once" }] : [];
  });
  if (violations.length > 0) throw new InvalidRequest(violations);
}

function reject(field: string, rule: string): never {
  throw invalidField(field, `value must ${rule}`);
}

function readCrs(query: URLSearchParams, name: string): string {
  const crs = query.get(name) ?? crs84;
  return systems.includes(crs) ? crs : reject(name, `be ${systems.join(" or ")}`);
}

function readLimit(given: string): number {
  if (!/^\d{1,15}$/.test(given) || Number(given) < limits.min)
    reject("limit", `be an integer of at least ${limits.min}`);
  return Number(given);
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads the parameter `bbox`: four numbers, or six with heights, which are ignored because all features are points. */
function readBox(given: string, latitudeFirst: boolean): Box {
  const parts = given.split(",");
  if ((parts.length !== 4 && parts.length !== 6) || !parts.every((part) => number.test(part.trim())))
    reject("bbox", "be four or six numbers that are separated by commas: west, south, east, north in CRS84");
  const corners = [parts.slice(0, 2), parts.slice(parts.length / 2)].map((corner) => corner.map(Number));
  const [[west = 0, south = 0] = [], [east = 0, north = 0] = []] = corners.map(([x, y]) =>
    latitudeFirst ? [y, x] : [x, y],
  );
  if (![west, east].every((degrees) => Math.abs(degrees) <= 180)) reject("bbox", "have longitudes from -180 to 180");
  if (![south, north].every((degrees) => Math.abs(degrees) <= 90)) reject("bbox", "have latitudes from -90 to 90");
  if (south > north) reject("bbox", "not have a southern edge above its northern edge");
  return { west, south, east, north };
}

/** Reads the parameter `datetime`: a time, or an interval with at most one open end. */
function readInterval(given: string): Interval {
  const ends = given.split("/");
  const times = ends.map((end) => parseRequestTime(end));
  const isRead = ends.every((end, index) => times[index] || (ends.length === 2 && ["", ".."].includes(end)));
  const [first, last = ends.length === 1 ? first : undefined] = times;
  if (!isRead || ends.length > 2 || (!first && !last))
    reject("datetime", `be ${timeWords}, or an interval of two of these, such as 2026-03-01/.. with an open end`);
  const [from, to] = [first?.start ?? Number.NEGATIVE_INFINITY, last?.end ?? Number.POSITIVE_INFINITY];
  if (from > to) reject("datetime", "not end before it starts");
  return { from, to };
}

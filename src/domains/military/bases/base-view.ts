import { type Cluster, clustersOf } from "./base-clusters.ts";
import { type BaseIndex, baseAt } from "./base-index.ts";
import type { Base } from "./base-table.ts";
import type { CodedColumn } from "./coded-column.ts";
import { zoomLevel } from "./zoom-level.ts";

/** A map box, its zoom and filters; an empty filter lets everything through. */
export interface BaseQuery {
  readonly neLat: number;
  readonly neLon: number;
  readonly swLat: number;
  readonly swLon: number;
  /** Whole, 0 to 22. */
  readonly zoom: number;
  readonly type: string;
  readonly kind: string;
  readonly country: string;
}

/** What the map shows. */
export interface BaseView {
  readonly bases: Base[];
  readonly clusters: Cluster[];
  readonly totalInView: number;
  readonly truncated: boolean;
}

/** Exactly the bases in the box that tier and filters let through, singly or in clusters. */
export function viewBases(index: BaseIndex, query: BaseQuery): BaseView {
  const { tier, grid } = zoomLevel(query.zoom);
  const rows = rowsInView(index, query, tier);
  const grouped = grid && rows.length > maxSingle ? clustersOf(index, rows, grid) : undefined;
  const { singles, clusters } = grouped ?? { singles: rows, clusters: [] };
  return {
    bases: Array.from(singles.subarray(0, maxReturned), (row) => baseAt(index, row)),
    clusters: clusters.slice(0, maxReturned),
    totalInView: rows.length,
    truncated: singles.length > maxReturned || clusters.length > maxReturned,
  };
}

const maxSingle = 200;
const maxReturned = 2_000;

/** Wider boxes hold so many bases that reading every row is quicker than walking the tree and sorting its findings. */
const maxForTree = 10;

/** Rows that match, in answer order. */
function rowsInView(index: BaseIndex, query: BaseQuery, tier: number): Uint32Array {
  const { latitude, longitude } = index;
  const south = Math.min(query.swLat, query.neLat);
  const north = Math.max(query.swLat, query.neLat);
  const { swLon: west, neLon: east } = query;
  const crosses = west > east;
  const filters = filtersOf(index, query);
  const matches = (row: number) => filters.every(({ codes, code }) => codes[row] === code);

  const width = crosses ? east + 360 - west : east - west;
  if (width <= maxForTree) {
    const spans = crosses ? [[west, 180] as const, [-180, east] as const] : [[west, east] as const];
    const found = spans.flatMap(([from, to]) => index.tree.range(from, south, to, north));
    return Uint32Array.from(found.filter((row) => index.tier[row]! <= tier && matches(row))).sort();
  }
  const rows = new Uint32Array(index.size);
  let count = 0;
  for (let row = 0; row < index.size && index.tier[row]! <= tier; row++) {
    if (latitude[row]! < south || latitude[row]! > north) continue;
    const inLongitude = crosses
      ? longitude[row]! >= west || longitude[row]! <= east
      : longitude[row]! >= west && longitude[row]! <= east;
    if (inLongitude && matches(row)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

interface Filter {
  readonly codes: Uint16Array;
  /** -1 for a text that no base has. */
  readonly code: number;
}

function filtersOf(index: BaseIndex, { type, kind, country }: BaseQuery): Filter[] {
  const wanted: [CodedColumn, string][] = [
    [index.type, type],
    [index.kind, kind],
    [index.country, country],
  ];
  return wanted
    .filter(([, text]) => text !== "")
    .map(([{ codes, codeOf }, text]) => ({ codes, code: codeOf.get(text) ?? -1 }));
}

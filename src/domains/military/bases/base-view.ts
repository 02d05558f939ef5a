import { type Circle, isInCircle } from "../../../reference/places/circle.ts";
import { type BaseIndex, baseAt, type CodedColumn } from "./base-index.ts";
import type { Base } from "./base-table.ts";

interface ZoomLevel {
  /** The highest zoom that belongs to this level. */
  readonly to: number;
  readonly tier: number;
  /** The grid in which close bases form clusters if there are many. Absent if every base is shown separately. */
  readonly grid?: Grid;
}

interface Grid {
  /** The length of a cell's side in degrees. */
  readonly cell: number;
  readonly expansionZoom: number;
}

function zoomLevel(zoom: number): ZoomLevel {
  return levels.find(({ to }) => zoom <= to) ?? closest;
}

const closest: ZoomLevel = { to: 22, tier: 3 };

const levels: readonly ZoomLevel[] = [
  { to: 3, tier: 1, grid: { cell: 5, expansionZoom: 6 } },
  { to: 4, tier: 1, grid: { cell: 2, expansionZoom: 6 } },
  { to: 5, tier: 2, grid: { cell: 2, expansionZoom: 6 } },
  { to: 7, tier: 2, grid: { cell: 0.5, expansionZoom: 8 } },
  closest,
];

/** A box on the map with the zoom and the filters. A filter that is empty or absent matches all bases. */
export interface BaseQuery {
  readonly neLat: number;
  readonly neLon: number;
  readonly swLat: number;
  readonly swLon: number;
  /** The zoom of the map, an integer from 0 to 22. */
  readonly zoom: number;
  readonly type: string;
  readonly kind: string;
  readonly country: string;
  readonly id?: string;
  /** If the request has a circle, each base in it is returned singly, at any zoom. */
  readonly circle?: Circle | undefined;
}

export interface BaseView {
  readonly bases: Base[];
  readonly clusters: Cluster[];
  readonly totalInView: number;
  readonly truncated: boolean;
}

/** Returns the bases in the box for the zoom and the filters. If they are many, close ones form clusters. */
export function viewBases(index: BaseIndex, query: BaseQuery): BaseView {
  const { id = "", circle } = query;
  const { tier, grid } = id === "" && !circle ? zoomLevel(query.zoom) : closest;
  const found = rowsInView(index, query, tier);
  const near = circle ? found.filter(isNear(index, circle)) : found;
  const rows = id === "" ? near : near.filter((row) => index.id[row] === id);
  const grouped = grid && rows.length > maxSingle ? clustersOf(index, rows, grid) : undefined;
  const { singles, clusters } = grouped ?? { singles: rows, clusters: [] };
  return {
    bases: Array.from(singles.subarray(0, maxReturned), (row) => baseAt(index, row)),
    clusters: clusters.slice(0, maxReturned),
    totalInView: rows.length,
    truncated: singles.length > maxReturned || clusters.length > maxReturned,
  };
}

function isNear({ latitude, longitude }: BaseIndex, circle: Circle): (row: number) => boolean {
  return (row) => isInCircle(circle, longitude[row] ?? 0, latitude[row] ?? 0);
}

const maxSingle = 200;
const maxReturned = 2_000;

/** Boxes wider than this number of degrees have many bases, so reading all rows is faster than a search of the tree. */
const maxForTree = 10;

/** Returns the numbers of the rows that match the request, in the order of responses. */
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
    return Uint32Array.from(found.filter((row) => (index.tier[row] ?? 0) <= tier && matches(row))).sort();
  }
  const rows = new Uint32Array(index.size);
  let count = 0;
  for (let row = 0; row < index.size && (index.tier[row] ?? 0) <= tier; row++) {
    const y = latitude[row] ?? 0;
    const x = longitude[row] ?? 0;
    if (y < south || y > north) continue;
    const inLongitude = crosses ? x >= west || x <= east : x >= west && x <= east;
    if (inLongitude && matches(row)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

interface Filter {
  readonly codes: Uint16Array;
  /** The code of the text to find. It is -1 if no base has the text, so that no row matches. */
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

interface Cluster {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly dominantType: string;
  readonly expansionZoom: number;
}

/** Groups rows by cell of the grid. A row without others in its cell stays single. Other cells become clusters. */
function clustersOf(index: BaseIndex, rows: Uint32Array, { cell, expansionZoom }: Grid) {
  const { slotOfRow, slots } = slotsOf(index, rows, cell);
  const { codes, texts } = index.type;
  const count = new Uint32Array(slots);
  const latitude = new Float64Array(slots);
  const longitude = new Float64Array(slots);
  const countOfType = new Uint32Array(slots * texts.length);
  rows.forEach((row, place) => {
    const slot = slotOfRow[place] ?? 0;
    add(count, slot, 1);
    add(latitude, slot, index.latitude[row] ?? 0);
    add(longitude, slot, index.longitude[row] ?? 0);
    add(countOfType, slot * texts.length + (codes[row] ?? 0), 1);
  });
  // If several types are equally frequent in a cluster, the alphabetically first one is its type.
  const alphabetical = [...texts.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1));
  const clusters: Cluster[] = [];
  for (const [slot, size] of count.entries()) {
    if (size < 2) continue;
    const many = ([code]: readonly [code: number, text: string]) => countOfType[slot * texts.length + code] ?? 0;
    const [, dominantType] = alphabetical.reduce((best, type) => (many(type) > many(best) ? type : best));
    clusters.push({
      latitude: (latitude[slot] ?? 0) / size,
      longitude: (longitude[slot] ?? 0) / size,
      count: size,
      dominantType,
      expansionZoom,
    });
  }
  clusters.sort((a, b) => b.count - a.count || a.latitude - b.latitude || a.longitude - b.longitude);
  return { singles: rows.filter((_, place) => count[slotOfRow[place] ?? 0] === 1), clusters };
}

function add(column: Uint32Array | Float64Array, slot: number, amount: number): void {
  column[slot] = (column[slot] ?? 0) + amount;
}

/** Returns the number of the grid cell of each row. Cells without rows are not numbered. */
function slotsOf({ latitude, longitude }: BaseIndex, rows: Uint32Array, cell: number) {
  const south = Math.floor(-90 / cell);
  const west = Math.floor(-180 / cell);
  const across = Math.floor(180 / cell) - west + 1;
  const slotOfCell = new Int32Array((Math.floor(90 / cell) - south + 1) * across).fill(-1);
  let slots = 0;
  const slotOfRow = rows.map((row) => {
    const y = latitude[row] ?? 0;
    const x = longitude[row] ?? 0;
    const place = (Math.floor(y / cell) - south) * across + Math.floor(x / cell) - west;
    const known = slotOfCell[place] ?? -1;
    if (known >= 0) return known;
    slotOfCell[place] = slots;
    return slots++;
  });
  return { slotOfRow, slots };
}

import type { BaseIndex } from "./base-index.ts";
import type { Grid } from "./zoom-level.ts";

/** The bases of one grid cell, two or more. */
export interface Cluster {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly dominantType: string;
  readonly expansionZoom: number;
}

/** Groups rows on a grid: cells with one row leave it single (in the rows' order), the others become clusters. */
export function clustersOf(
  index: BaseIndex,
  rows: Uint32Array,
  { cell, expansionZoom }: Grid,
): { singles: Uint32Array; clusters: Cluster[] } {
  const { slotOfRow, slots } = slotsOf(index, rows, cell);
  const { codes, texts } = index.type;
  const count = new Uint32Array(slots);
  const latitude = new Float64Array(slots);
  const longitude = new Float64Array(slots);
  const countOfType = new Uint32Array(slots * texts.length);
  rows.forEach((row, place) => {
    const slot = slotOfRow[place]!;
    count[slot]!++;
    latitude[slot]! += index.latitude[row]!;
    longitude[slot]! += index.longitude[row]!;
    countOfType[slot * texts.length + codes[row]!]!++;
  });
  // Of types that are equally frequent the first in the alphabet wins.
  const alphabetical = [...texts.keys()].sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
  const clusters: Cluster[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const size = count[slot]!;
    if (size < 2) continue;
    const many = (code: number) => countOfType[slot * texts.length + code]!;
    clusters.push({
      latitude: latitude[slot]! / size,
      longitude: longitude[slot]! / size,
      count: size,
      dominantType: texts[alphabetical.reduce((best, code) => (many(code) > many(best) ? code : best))]!,
      expansionZoom,
    });
  }
  clusters.sort((a, b) => b.count - a.count || a.latitude - b.latitude || a.longitude - b.longitude);
  return { singles: rows.filter((_, place) => count[slotOfRow[place]!] === 1), clusters };
}

/** Numbers the cells that have rows, in the order in which they are met. */
function slotsOf(
  { latitude, longitude }: BaseIndex,
  rows: Uint32Array,
  cell: number,
): { slotOfRow: Uint32Array; slots: number } {
  const south = Math.floor(-90 / cell);
  const west = Math.floor(-180 / cell);
  const across = Math.floor(180 / cell) - west + 1;
  const slotOfCell = new Int32Array((Math.floor(90 / cell) - south + 1) * across).fill(-1);
  let slots = 0;
  const slotOfRow = rows.map((row) => {
    const place = (Math.floor(latitude[row]! / cell) - south) * across + Math.floor(longitude[row]! / cell) - west;
    if (slotOfCell[place] === -1) slotOfCell[place] = slots++;
    return slotOfCell[place]!;
  });
  return { slotOfRow, slots };
}

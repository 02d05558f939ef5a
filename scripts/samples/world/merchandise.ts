import { randomOf } from "../random.ts";
import { isProfiled, profiles } from "./country-profiles.ts";
import { distanceKm } from "./distance.ts";
import { waveOf } from "./drift.ts";
import { economyOf } from "./economy.ts";

/** Trade in goods, billions of US dollars. */
export interface Merchandise {
  readonly exports: number;
  readonly imports: number;
}

/**
 * Returns the trade of a country in a year, where year 0 is the current one. Places without a profile are small
 * islands.
 */
export function merchandiseOf(alpha2: string, year: number): Merchandise {
  if (!isProfiled(alpha2)) return ofIsland(alpha2, year);
  const { goodsExports, goodsImports, gdp } = economyOf(alpha2, year);
  return { exports: (goodsExports * gdp) / 100, imports: (goodsImports * gdp) / 100 };
}

function ofIsland(alpha2: string, year: number): Merchandise {
  const { between } = randomOf("island", alpha2);
  const imports = 10 ** between(-1.6, 0.3) * 1.03 ** year * (1 + 0.06 * waveOf("island", alpha2)(year));
  return { imports, exports: imports * between(0.05, 0.5) * (1 + 0.1 * waveOf("island exports", alpha2)(year)) };
}

/** Number of rounds in which the flows of trade are balanced, so that world exports equal world imports. */
const rounds = 12;
const codes = profiles.map(({ alpha2 }) => alpha2);
const places = new Map(codes.map((alpha2, place) => [alpha2, place]));
const flows = balanced();

/**
 * Returns the flows from country to country. It starts with flows by size and distance, and scales rows and columns
 * alternately to the exports and imports.
 */
function balanced(): number[][] {
  const totals = codes.map((alpha2) => merchandiseOf(alpha2, 0));
  const [sold, bought] = [sumOf(totals.map(({ exports }) => exports)), sumOf(totals.map(({ imports }) => imports))];
  const matrix = codes.map((from, row) =>
    codes.map((to) => (from === to ? 0 : drawnTo(from, to) * (totals[row]?.exports ?? 0))),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const [row, values] of matrix.entries()) {
      const factor = (((totals[row]?.exports ?? 0) / sold) * bought) / sumOf(values);
      for (const column of values.keys()) values[column] = (values[column] ?? 0) * factor;
    }
    for (const column of codes.keys()) {
      const factor = (totals[column]?.imports ?? 0) / sumOf(matrix.map((values) => values[column] ?? 0));
      for (const values of matrix) values[column] = (values[column] ?? 0) * factor;
    }
  }
  return matrix;
}

function drawnTo(from: string, to: string): number {
  const { normal } = randomOf("trade", from, to);
  return Math.exp(0.35 * normal()) / distanceKm(from, to) ** 0.8;
}

/** Returns the imports of a country from another in a year, in billions of US dollars. */
export function importsFrom(importer: string, exporter: string, year: number): number {
  const [row, column] = [places.get(exporter), places.get(importer)];
  if (row === undefined || column === undefined) return 0;
  const drift = 1 + 0.04 * waveOf("trade", importer, exporter)(year);
  const growth = merchandiseOf(importer, year).imports / merchandiseOf(importer, 0).imports;
  return (flows[row]?.[column] ?? 0) * growth * drift;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

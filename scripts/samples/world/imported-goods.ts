import { readFileSync } from "node:fs";
import { randomOf } from "../random.ts";
import { distanceKm } from "./distance.ts";
import { clamped } from "./drift.ts";
import { merchandiseOf } from "./merchandise.ts";

/** A heading of the Harmonized System: how much of all imports it is, and who sells it, each with a weight. */
interface Heading {
  /** Percent. */
  readonly share: number;
  readonly exporters: readonly (readonly [alpha2: string, weight: number])[];
}

const headings: ReadonlyMap<string, Heading> = new Map(
  readFileSync(new URL("headings.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [heading = "", share, exporters = ""] = line.split(",");
      const pairs = [...exporters.matchAll(/([A-Z]{2}) ([\d.]+)/g)];
      return [
        heading,
        { share: Number(share), exporters: pairs.map(([, code = "", weight]) => [code, Number(weight)]) },
      ];
    }),
);

export interface Imported {
  /** Empty: nobody knows where it came from. */
  readonly exporter: string;
  /** US dollars. */
  readonly value: number;
}

/** So many sellers are named, the others are one. */
const most = 5;
/** Of less there is no row. */
const leastDollars = 20_000;

/** What a country imports of a heading in a year, largest first and the unknown last; nothing where it makes its own. */
export function importedOf(importer: string, code: string, year: number): readonly Imported[] {
  const heading = headings.get(code);
  if (!heading) throw new Error(`headings.csv has no ${code}`);
  const { normal, between } = randomOf("heading", code, importer);
  const own = heading.exporters.find(([exporter]) => exporter === importer)?.[1] ?? 0;
  const total =
    merchandiseOf(importer, year).imports *
    1e9 *
    (heading.share / 100) *
    Math.exp(0.6 * clamped(normal(), -2, 2)) *
    (1 - Math.min(0.9, own / 25));
  const weights = heading.exporters
    .filter(([exporter]) => exporter !== importer)
    .map(([exporter, weight]) => ({
      exporter,
      weight: (weight * Math.exp(0.4 * normal())) / distanceKm(importer, exporter) ** 0.6,
    }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, most);
  const sum = weights.reduce((all, { weight }) => all + weight, 0);
  const unknown = between(0.01, 0.06);
  const named = weights.map(({ exporter, weight }) => ({ exporter, value: (total * (1 - unknown) * weight) / sum }));
  return [...named, { exporter: "", value: total * unknown }].filter(({ value }) => value >= leastDollars);
}

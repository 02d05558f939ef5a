import { commodities } from "../../../src/reference/trade/commodities.ts";
import { randomOf } from "../random.ts";
import { distanceKm } from "./distance.ts";
import { clamped } from "./drift.ts";
import { merchandiseOf } from "./merchandise.ts";
import { table } from "./table.ts";
import { termsOf } from "./terms.ts";

type Weights = ReadonlyMap<string, number>;

/** A heading of the Harmonized System with its buyers and sellers. */
interface Heading {
  /** Imports of large buyers in the year before last, in billions of US dollars. */
  readonly importers: Weights;
  /** Its share of the imports of all other countries, in percent. 0 if no other country imports it. */
  readonly others: number;
  readonly exporters: Weights;
  /** Exponent of the distance by which trade decreases. */
  readonly reach: number;
}

const weightsOf = (text: string): Weights =>
  new Map([...text.matchAll(/([A-Z]{2}) ([\d.]+)/g)].map(([, code = "", weight]) => [code, Number(weight)]));

const headings: ReadonlyMap<string, Heading> = new Map(
  table<"heading" | "others" | "reach" | "importers" | "exporters">("headings").map((cells) => [
    cells.heading,
    {
      others: Number(cells.others),
      reach: Number(cells.reach),
      importers: weightsOf(cells.importers),
      exporters: weightsOf(cells.exporters),
    },
  ]),
);
/**
 * Suppliers of large buyers if they differ from those that size and distance predict, for example because of pipelines.
 */
const suppliers: ReadonlyMap<string, Weights> = new Map(
  table<"heading" | "importer" | "exporters">("suppliers").map(({ heading, importer, exporters }) => [
    `${heading} ${importer}`,
    weightsOf(exporters),
  ]),
);

export interface Imported {
  /** Empty if the origin is unknown. */
  readonly exporter: string;
  /** Value in US dollars. */
  readonly value: number;
}

/** Maximum number of named sellers, for buyers with drawn and with known suppliers. The other sellers are one row. */
const max = { drawn: 6, known: 9 };
/** Minimum import of a heading in US dollars, unless it is 0. */
const minDollars = 40_000;
/** A country that sells this percentage of the world's trade imports little of the heading, and no food or fuel. */
const [soldByMakers, boughtByMakers] = [12, 0.03];
const harvested: ReadonlySet<string> = new Set(commodities.filter(({ mineral }) => !mineral).map(({ hs4 }) => hs4));

/**
 * Returns a country's imports of a heading in a year, largest first and the unknown origin last. Empty if it imports
 * none.
 */
export function importedOf(importer: string, code: string, year: number): readonly Imported[] {
  const heading = headings.get(code);
  if (!heading) throw new Error(`headings.csv has no ${code}`);
  const random = randomOf("heading", code, importer);
  const bought = boughtBy(importer, heading, year) * 1e9;
  const isLarge = heading.importers.has(importer);
  const sold = heading.exporters.get(importer) ?? 0;
  const isMaker = sold >= soldByMakers && harvested.has(code) && !isLarge;
  if (bought === 0 || isMaker) return [];
  const total = Math.max(minDollars, bought) * Math.exp((isLarge ? 0.04 : 0.12) * clamped(random.normal(), -2, 2));
  const weights = sellersTo(importer, code, heading)
    .map(([exporter, weight]) => ({ exporter, weight: weight * Math.exp((isLarge ? 0.02 : 0.08) * random.normal()) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, suppliers.has(`${code} ${importer}`) ? max.known : max.drawn);
  const sum = weights.reduce((all, { weight }) => all + weight, 0);
  const unknown = random.between(0.01, 0.04);
  const named = weights.map(({ exporter, weight }) => ({ exporter, value: (total * (1 - unknown) * weight) / sum }));
  return [...named, { exporter: "", value: total * unknown }];
}

/** Returns the imports in billions of US dollars. */
function boughtBy(importer: string, { importers, others, exporters }: Heading, year: number): number {
  const imports = merchandiseOf(importer, year).imports;
  const large = importers.get(importer);
  if (large !== undefined) return (large * imports) / merchandiseOf(importer, -2).imports;
  const own = 1 - Math.min(1 - boughtByMakers, (exporters.get(importer) ?? 0) / soldByMakers);
  return (imports * others * own) / 100;
}

function sellersTo(importer: string, code: string, { importers, exporters, reach }: Heading): [string, number][] {
  const own = suppliers.get(`${code} ${importer}`);
  if (own) return [...own];
  // Small buyers import from many trading countries.
  const evenness = importers.size > 0 && !importers.has(importer) ? 0.5 : 1;
  return [...exporters]
    .filter(([exporter]) => exporter !== importer)
    .map(([exporter, weight]) => [
      exporter,
      (weight ** evenness * termsOf(importer, exporter, code)) / distanceKm(importer, exporter) ** (reach * evenness),
    ]);
}

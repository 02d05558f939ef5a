import { commodities } from "../../../src/reference/trade/commodities.ts";
import { randomOf } from "../random.ts";
import { distanceKm } from "./distance.ts";
import { clamped } from "./drift.ts";
import { merchandiseOf } from "./merchandise.ts";
import { table } from "./table.ts";
import { termsOf } from "./terms.ts";

type Weights = ReadonlyMap<string, number>;

/** A heading of the Harmonized System: who buys and who sells it. */
interface Heading {
  /** Large buyers with billions of US dollars in the year before last. */
  readonly importers: Weights;
  /** What it is of the imports of all others, in percent; where 0, nobody else has a use for it. */
  readonly others: number;
  readonly exporters: Weights;
  /** How fast less is bought from who is farther. */
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
/** Suppliers of large buyers, where pipes, contracts or habits make them others than size and distance would. */
const suppliers: ReadonlyMap<string, Weights> = new Map(
  table<"heading" | "importer" | "exporters">("suppliers").map(({ heading, importer, exporters }) => [
    `${heading} ${importer}`,
    weightsOf(exporters),
  ]),
);

export interface Imported {
  /** Empty: nobody knows where it came from. */
  readonly exporter: string;
  /** US dollars. */
  readonly value: number;
}

/** So many sellers are named, and of those whose own are known more; the others are one. */
const max = { drawn: 6, known: 9 };
/** Nobody who buys at all buys less, US dollars. */
const minDollars = 40_000;
/** Who sells so much of the world's trade buys next to nothing of it, and of food and fuel nothing at all. */
const [soldByMakers, boughtByMakers] = [12, 0.03];
const harvested: ReadonlySet<string> = new Set(commodities.filter(({ mineral }) => !mineral).map(({ hs4 }) => hs4));

/** What a country imports of a heading in a year, largest first and the unknown last; nothing where it has no use for it. */
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

/** Billions of US dollars. */
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
  // Who buys little buys it where it is dealt with, from many.
  const evenness = importers.size > 0 && !importers.has(importer) ? 0.5 : 1;
  return [...exporters]
    .filter(([exporter]) => exporter !== importer)
    .map(([exporter, weight]) => [
      exporter,
      (weight ** evenness * termsOf(importer, exporter, code)) / distanceKm(importer, exporter) ** (reach * evenness),
    ]);
}

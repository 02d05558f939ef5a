import { type Country, countries } from "../../../src/reference/countries/countries.ts";
import { table } from "./table.ts";

const kinds = [
  "industrial",
  "services",
  "hub",
  "catchingUp",
  "oil",
  "emerging",
  "tourism",
  "agrarian",
  "conflict",
] as const;

/** What an economy lives from: what is drawn for a country is drawn round what is usual for its kind. */
export type Kind = (typeof kinds)[number];

/** A country of the sample's world: rough orders of magnitude, round which its figures are drawn. */
export interface Profile extends Country {
  readonly kind: Kind;
  /** Millions. */
  readonly population: number;
  /** US dollars. */
  readonly gdpPerCapita: number;
  /** On the scale of the governance indicators, -2.5 to 2.5. */
  readonly governance: number;
  /** Percent of GDP; undefined where none is told. */
  readonly debt?: number;
  /** Net imports in percent of energy use, below 0 for an exporter. */
  readonly energyImports: number;
  /** Percent of electricity. */
  readonly lowCarbon: number;
  /** Withdrawals in percent of what there is. */
  readonly waterStress: number;
  /** Percent a year, where it is far from what is usual for the kind. */
  readonly inflation?: number;
  /** Governance indicator of voice, where it is far from the others. */
  readonly voice?: number;
  /** Current account and balance of goods in percent of GDP, where the country is known for them. */
  readonly account?: number;
  readonly goods?: number;
  /** Of goods and services, in percent of GDP, where it sells more or less than others of its size and kind. */
  readonly exports?: number;
  /** Percent of the labor force, percent a year, and percent of GDP, where the country is known for them. */
  readonly unemployment?: number;
  readonly growth?: number;
  readonly revenue?: number;
  /** Months of imports that its reserves pay, where the country is known for them. */
  readonly reserves?: number;
  /** 0 for the poorest country to 1 for the richest, by the logarithm of GDP per capita. */
  readonly income: number;
}

const [poorest, richest] = [2.45, 4.9];
type Column =
  | "code"
  | "type"
  | "population"
  | "gdpPerCapita"
  | "governance"
  | "debt"
  | "energyImports"
  | "lowCarbon"
  | "waterStress"
  | "inflation"
  | "voice"
  | "account"
  | "goods"
  | "exports"
  | "unemployment"
  | "growth"
  | "revenue"
  | "reserves";
/** Columns whose cell is empty for countries that are as usual for their kind. */
const ownColumns = [
  ...(["debt", "inflation", "voice", "account", "goods", "exports"] as const),
  ...(["unemployment", "growth", "revenue", "reserves"] as const),
];

export const profiles: readonly Profile[] = table<Column>("economies").map((cells) => {
  const country = countries.get(cells.code);
  const kind = kinds.find((one) => one === cells.type);
  if (!country || !kind) throw new Error(`economies.csv: ${cells.code}`);
  const number = (column: Column) => Number(cells[column]);
  const gdpPerCapita = number("gdpPerCapita");
  return {
    ...country,
    kind,
    population: number("population"),
    gdpPerCapita,
    governance: number("governance"),
    energyImports: number("energyImports"),
    lowCarbon: number("lowCarbon"),
    waterStress: number("waterStress"),
    ...Object.fromEntries(ownColumns.flatMap((name) => (cells[name] ? [[name, number(name)]] : []))),
    income: Math.min(1, Math.max(0, (Math.log10(gdpPerCapita) - poorest) / (richest - poorest))),
  };
});

const byCode = new Map(profiles.map((profile) => [profile.alpha2, profile]));

/** By ISO 3166-1 alpha-2. */
export function profileOf(alpha2: string): Profile {
  const profile = byCode.get(alpha2);
  if (!profile) throw new Error(`economies.csv has no ${alpha2}`);
  return profile;
}

export function isProfiled(alpha2: string): boolean {
  return byCode.has(alpha2);
}

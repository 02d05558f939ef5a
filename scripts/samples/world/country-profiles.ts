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

/** Kind of economy. The values of a country are drawn around the usual values of its kind. */
export type Kind = (typeof kinds)[number];

/** A country of the sample's world, with rough orders of magnitude around which its values are drawn. */
export interface Profile extends Country {
  readonly kind: Kind;
  /** Population in millions. */
  readonly population: number;
  /** GDP per person in US dollars. */
  readonly gdpPerCapita: number;
  /** Governance on the scale of the World Bank's indicators, -2.5 to 2.5. */
  readonly governance: number;
  /** Percent of GDP. Undefined if no debt is reported. */
  readonly debt?: number;
  /** Net imports in percent of energy use. An exporter has a negative value. */
  readonly energyImports: number;
  /** Low-carbon share of electricity in percent. */
  readonly lowCarbon: number;
  /** Withdrawals of water in percent of the available water. */
  readonly waterStress: number;
  /** Percent per year. Set only if it is far from the usual inflation of the kind. */
  readonly inflation?: number;
  /** Governance indicator of voice. Set only if it is far from the other indicators. */
  readonly voice?: number;
  /** Current account and balance of goods in percent of GDP. Set only if they are unusual for the kind. */
  readonly account?: number;
  readonly goods?: number;
  /** Exports of goods and services in percent of GDP. Set only if they are unusual for the size and kind. */
  readonly exports?: number;
  /** Percent of the labor force, percent per year, and percent of GDP. Set only if they are unusual for the kind. */
  readonly unemployment?: number;
  readonly growth?: number;
  readonly revenue?: number;
  /** Reserves in months of imports. Set only if they are unusual for the kind. */
  readonly reserves?: number;
  /** Logarithm of GDP per person, scaled from 0 for the poorest country to 1 for the richest. */
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
/** A cell of these columns is empty if the country has the usual value of its kind. */
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

/** Returns the profile of a country by ISO 3166-1 alpha-2 code. */
export function profileOf(alpha2: string): Profile {
  const profile = byCode.get(alpha2);
  if (!profile) throw new Error(`economies.csv has no ${alpha2}`);
  return profile;
}

export function isProfiled(alpha2: string): boolean {
  return byCode.has(alpha2);
}

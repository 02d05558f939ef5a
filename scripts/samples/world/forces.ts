import { randomOf } from "../random.ts";
import { type Profile, profileOf, profiles } from "./country-profiles.ts";
import { clamped, waveOf } from "./drift.ts";
import { economyOf } from "./economy.ts";
import { table } from "./table.ts";
import { usual } from "./usual-figures.ts";

/** Rough spending, in percent of GDP, and thousands of soldiers of countries that are far from the usual values. */
const known = new Map(
  table<"code" | "burden" | "thousands">("forces").map(({ code, burden, thousands }) => [
    code,
    { burden: Number(burden), soldiers: 1000 * Number(thousands) },
  ]),
);

/** Countries without forces. Their spending is a measured 0. */
const unarmed: ReadonlySet<string> = new Set(["CR", "IS"]);
/** States with fewer million people have no forces and report no values. */
const armedFrom = 0.35;

export function isArmed({ alpha2, population }: Profile): boolean {
  return population >= armedFrom && !unarmed.has(alpha2);
}

export function hasNoForces({ alpha2 }: Profile): boolean {
  return unarmed.has(alpha2);
}

/** Returns the military expenditure in percent of GDP. */
export function burdenOf(alpha2: string, year: number): number {
  const profile = profileOf(alpha2);
  if (!isArmed(profile)) return 0;
  const drawn = usual[profile.kind].military * Math.exp(0.3 * clamped(randomOf("burden", alpha2).normal(), -2, 2));
  const level = known.get(alpha2)?.burden ?? drawn;
  return Math.max(0.2, level * (1 + 0.02 * year) * (1 + 0.05 * waveOf("burden", alpha2)(year)));
}

/** Returns the military expenditure in billions of US dollars. */
export function militarySpendingOf(alpha2: string, year: number): number {
  return (burdenOf(alpha2, year) * economyOf(alpha2, year).gdp) / 100;
}

/** Returns the number of soldiers, which is higher in countries at war. */
export function soldiersOf(alpha2: string, year: number): number {
  const { population, kind } = profileOf(alpha2);
  const share =
    (kind === "conflict" ? 9 : kind === "oil" ? 6 : 3.6) * Math.exp(0.35 * randomOf("soldiers", alpha2).normal());
  const soldiers = known.get(alpha2)?.soldiers ?? population ** 0.88 * 1000 * clamped(share, 1.2, 16);
  return soldiers * (1 + 0.02 * waveOf("soldiers", alpha2)(year));
}

/** Suppliers of arms, by their names in the operator's file, with their shares of the market. */
const suppliers = [
  ["US", "United States", 40],
  ["FR", "France", 11],
  ["RU", "Russia", 9],
  ["CN", "China", 7],
  ["DE", "Germany", 7],
  ["IT", "Italy", 5],
  ["GB", "United Kingdom", 4.5],
  ["KR", "South Korea", 4],
  ["IL", "Israel", 3.5],
  ["ES", "Spain", 3],
  ["TR", "Turkiye", 2.5],
  ["NL", "Netherlands", 2],
  ["SE", "Sweden", 1.8],
  ["", "unknown supplier(s)", 3],
] as const;

export interface Delivery {
  readonly importer: string;
  /** Empty if the supplier is not known. */
  readonly supplier: string;
  readonly name: string;
  readonly year: number;
  /** Trend indicator value in millions. */
  readonly value: number;
}

/** Number of suppliers of one buyer, and the share of them that deliver in a year. */
const suppliersOfBuyer = { min: 2, max: 5, deliver: 0.68 };
/** Countries with a lower military expenditure, in billions of dollars, have no reported purchases. */
const buyerFrom = 1.2;
const deliveryYears = [-7, -6, -5, -4, -3, -2, -1];

const [eastern, easternSellers] = ["BY CN CU IR KP MM RU SY VE".split(" "), ["RU", "CN", ""]];

export const deliveries: readonly Delivery[] = profiles
  .filter((profile) => isArmed(profile) && militarySpendingOf(profile.alpha2, 0) >= buyerFrom)
  .flatMap(({ alpha2 }) => boughtBy(alpha2));

/**
 * Returns whether the supplier sells to the importer: the east buys only from Russia and China, the west from neither.
 */
function isOnTerms(importer: string, supplier: string): boolean {
  if (eastern.includes(importer)) return easternSellers.includes(supplier);
  const { kind } = profileOf(importer);
  const isWestern = ["industrial", "services", "catchingUp", "hub"].includes(kind) || ["UA", "NO"].includes(importer);
  return !isWestern || supplier === "" || !easternSellers.includes(supplier);
}

function boughtBy(importer: string): Delivery[] {
  const { integer, between, unit } = randomOf("arms", importer);
  const volume = 90 * militarySpendingOf(importer, 0) ** 0.62 * between(0.5, 1.5);
  const ranked = suppliers
    .filter(([supplier]) => supplier !== importer && isOnTerms(importer, supplier))
    .map(([supplier, name, share]) => ({ supplier, name, weight: share ** 0.8 * between(0.15, 1.6) ** 2 }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, integer(suppliersOfBuyer.min, suppliersOfBuyer.max));
  const all = ranked.reduce((sum, { weight }) => sum + weight, 0);
  return ranked.flatMap(({ supplier, name, weight }) =>
    deliveryYears.flatMap((year) => {
      const value = (volume * weight * between(0.5, 1.5)) / all;
      return unit() < suppliersOfBuyer.deliver && value >= 1 ? [{ importer, supplier, name, year, value }] : [];
    }),
  );
}

/** Returns the trend indicator value that a country sold or bought in a year. */
export function deliveredIn(year: number, by: "importer" | "supplier", alpha2: string): number {
  return deliveries
    .filter((delivery) => delivery.year === year && delivery[by] === alpha2)
    .reduce((sum, { value }) => sum + value, 0);
}

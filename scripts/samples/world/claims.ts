import { randomOf } from "../random.ts";
import { type Kind, type Profile, profileOf, profiles } from "./country-profiles.ts";
import { distanceKm } from "./distance.ts";
import { clamped, waveOf } from "./drift.ts";
import { economyOf } from "./economy.ts";

/** Home countries of banks with their weight in the world. */
export const homes: Readonly<Record<string, number>> = {
  ...{ US: 12, GB: 9, DE: 7, FR: 10, IT: 3, NL: 4, ES: 7, BE: 1.2, AT: 1.4, IE: 0.5, LU: 0.5, CH: 4, JP: 14, CA: 6 },
  ...{ AU: 2.2, SG: 2.2 },
};

/** Loans of foreign banks to a country, in percent of its GDP. */
const lent: Readonly<Record<Kind, number>> = {
  ...{ industrial: 33, services: 32, hub: 85, catchingUp: 42, oil: 11, emerging: 15, tourism: 24, agrarian: 6 },
  conflict: 2.2,
};
/** Banks lend little to countries under sanctions. */
const embargoed: ReadonlySet<string> = new Set(["RU", "BY", "IR", "KP", "CU", "MM", "VE", "LY", "SY"]);

/**
 * Returns the loans of one home country's banks to a country, in billions of US dollars. Quarter 0 is the current one.
 */
export function claimsOf(home: string, country: string, quarter: number): number {
  const { kind } = profileOf(country);
  const total = (lent[kind] * levelOf(country) * economyOf(country, 0).gdp) / 100;
  const share = weightOf(home, country) / allWeights(country);
  return total * share * (1 + 0.006 * quarter) * (1 + 0.02 * waveOf("claims", home, country)(quarter));
}

function levelOf(country: string): number {
  const { normal } = randomOf("lent", country);
  return (embargoed.has(country) ? 0.08 : 1) * Math.exp(0.3 * clamped(normal(), -2, 2));
}

function weightOf(home: string, country: string): number {
  const { normal } = randomOf("claims", home, country);
  return ((homes[home] ?? 0) * Math.exp(0.5 * normal())) / distanceKm(home, country) ** 0.45;
}

const sums = new Map<string, number>();

function allWeights(country: string): number {
  const cached = sums.get(country);
  if (cached !== undefined) return cached;
  const sum = Object.keys(homes)
    .filter((home) => home !== country)
    .reduce((total, home) => total + weightOf(home, country), 0);
  sums.set(country, sum);
  return sum;
}

/** Returns the countries to which a home country's banks lend at least the given amount. */
export function debtorsOf(home: string, min: number): readonly Profile[] {
  return profiles.filter(({ alpha2 }) => alpha2 !== home && claimsOf(home, alpha2, 0) >= min);
}

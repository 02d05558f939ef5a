import { randomOf } from "../random.ts";
import { type Kind, type Profile, profileOf, profiles } from "./country-profiles.ts";
import { distanceKm } from "./distance.ts";
import { clamped, waveOf } from "./drift.ts";
import { economyOf } from "./economy.ts";

/** Home countries of banks with the weight that those have in the world. */
export const homes: Readonly<Record<string, number>> = {
  ...{ US: 12, GB: 9, DE: 7, FR: 10, IT: 3, NL: 4, ES: 7, BE: 1.2, AT: 1.4, IE: 0.5, LU: 0.5, CH: 4, JP: 14, CA: 6 },
  ...{ AU: 2.2, SG: 2.2 },
};

/** What banks of other countries have lent to a country, in percent of its GDP. */
const lent: Readonly<Record<Kind, number>> = {
  ...{ industrial: 33, services: 32, hub: 85, catchingUp: 42, oil: 11, emerging: 15, tourism: 24, agrarian: 6 },
  conflict: 2.2,
};
/** Banks shun those whom they may not lend to. */
const embargoed: ReadonlySet<string> = new Set(["RU", "BY", "IR", "KP", "CU", "MM", "VE", "LY", "SY"]);

/** Billions of US dollars that banks of a home country have lent to a country, in a quarter counted from now. */
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
  const reported = sums.get(country);
  if (reported !== undefined) return reported;
  const sum = Object.keys(homes)
    .filter((home) => home !== country)
    .reduce((total, home) => total + weightOf(home, country), 0);
  sums.set(country, sum);
  return sum;
}

/** Countries that the banks of a home country lend to: small banks do not lend everywhere. */
export function debtorsOf(home: string, min: number): readonly Profile[] {
  return profiles.filter(({ alpha2 }) => alpha2 !== home && claimsOf(home, alpha2, 0) >= min);
}

import { randomOf } from "../random.ts";
import { type Profile, profiles } from "./country-profiles.ts";
import { distanceKm } from "./distance.ts";
import { clamped } from "./drift.ts";

/** People of a country who had to leave their homes. */
export interface Displaced {
  readonly origin: Profile;
  /** People displaced within the country. */
  readonly within: number;
  /** Refugees and asylum seekers by host country. */
  readonly abroad: readonly { readonly host: Profile; readonly refugees: number; readonly asylumSeekers: number }[];
}

/** Countries that attract refugees from everywhere, with their weights. */
const refuges: Readonly<Record<string, number>> = { DE: 10, US: 8, FR: 5, GB: 4, CA: 4, IT: 3, SE: 2, TR: 2, ES: 3 };
/** Share of the people abroad in those countries. The others are in countries nearby. */
const farShare = { conflict: 0.22, others: 0.75 };
const maxHosts = { conflict: { near: 5, far: 8 }, others: { near: 3, far: 3 } };
/** Smaller numbers of people in one country are not reported. */
const min = 2;

export const displaced: readonly Displaced[] = profiles
  .map((origin) => ({ origin, ...movedFrom(origin) }))
  .filter(({ abroad, within }) => abroad.length > 0 || within > 0);

function movedFrom(origin: Profile): Omit<Displaced, "origin"> {
  const { alpha2, population, governance, kind } = origin;
  const { between, normal, unit } = randomOf("displaced", alpha2);
  const isConflict = kind === "conflict";
  const share = isConflict
    ? between(0.07, 0.27)
    : 10 ** clamped(-3.6 - 1.15 * governance + 0.35 * normal(), -6, alpha2 === "VE" ? -0.6 : -2.1);
  const moved = Math.max(12, population * 1e6 * share);
  const within = isConflict ? moved * between(0.5, 0.75) : governance < -0.6 && unit() < 0.3 ? moved * 0.4 : 0;
  const kindOf = isConflict ? "conflict" : "others";
  const [far, max] = [farShare[kindOf], maxHosts[kindOf]];
  const hosts = [
    ...weighted(near(origin).slice(0, max.near), 1 - far),
    ...weighted(refugesOf(origin).slice(0, max.far), far),
  ];
  const abroad = Map.groupBy(hosts, ({ host }) => host);
  return {
    within: Math.round(within),
    abroad: Array.from(abroad, ([host, parts]) => {
      const people = (moved - within) * parts.reduce((sum, { weight }) => sum + weight, 0) * between(0.75, 1.25);
      const seeking = clamped(0.12 + 0.08 * normal(), 0.02, 0.4);
      return { host, refugees: Math.round(people * (1 - seeking)), asylumSeekers: Math.round(people * seeking) };
    }).filter(({ refugees }) => refugees >= min),
  };
}

interface Weighted {
  readonly host: Profile;
  readonly weight: number;
}

function weighted(hosts: readonly Weighted[], share: number): Weighted[] {
  const all = hosts.reduce((sum, { weight }) => sum + weight, 0);
  return hosts.map(({ host, weight }) => ({ host, weight: (share * weight) / all }));
}

/** Returns the countries nearby. Closer and larger countries have more weight. */
function near({ alpha2 }: Profile): Weighted[] {
  return profiles
    .filter((host) => host.alpha2 !== alpha2 && host.population > 1 && host.alpha2 !== "KP")
    .map((host) => ({ host, weight: host.population ** 0.3 / distanceKm(alpha2, host.alpha2) ** 2 }))
    .toSorted((a, b) => b.weight - a.weight);
}

function refugesOf({ alpha2 }: Profile): Weighted[] {
  return profiles
    .filter((host) => host.alpha2 !== alpha2 && refuges[host.alpha2] !== undefined)
    .map((host) => ({ host, weight: (refuges[host.alpha2] ?? 0) / distanceKm(alpha2, host.alpha2) ** 0.5 }))
    .toSorted((a, b) => b.weight - a.weight);
}

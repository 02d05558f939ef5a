import { type Random, randomOf } from "../random.ts";
import { partiesOf } from "./armed-groups.ts";
import { one, weighted } from "./draw.ts";
import { countriesOf, type EventCountry, type Town, townsOf } from "./places.ts";
import { rising, type Week } from "./weeks.ts";

/** An invented event of invented parties in a real town. */
export interface Incident {
  readonly country: EventCountry;
  readonly town: Town;
  /** Number of days before the latest Sunday. */
  readonly ago: number;
  readonly kind: "clash" | "remote" | "civilians";
  /** Whether one party controls the town. The other parties are groups. */
  readonly guarded: boolean;
  readonly first: string;
  /** Second party. Empty if there is none, and civilians if they were the target. */
  readonly second: string;
  readonly deaths: number;
}

export const incidentDays = 60;
/** Fewer events are reported on weekends. */
const week: Week = [0.75, 1.05, 1.1, 1.15, 1.1, 0.95, 0.65];
const kinds = [
  ["clash", 40],
  ["remote", 40],
  ["civilians", 20],
] as const;

/** Returns a number of deaths. Most events have no or few deaths. */
function deathsOf({ unit }: Random): number {
  if (unit() < 0.4) return 0;
  return Math.min(1 + Math.floor(1.4 * Math.log(1 - unit()) ** 2), 60);
}

/** Returns a number of incidents for the list of one source. */
export function incidents(list: string, count: number): Incident[] {
  const days = rising(incidentDays, week, 0.3);
  return Array.from({ length: count }, (_, place) => {
    const random = randomOf("incident", list, place);
    const country = weighted(random, countriesOf("conflict"));
    return incidentIn(country, weighted(random, days), random);
  });
}

/** Returns an incident of any kind in a country on a day. */
export function incidentIn(country: EventCountry, ago: number, random: Random): Incident {
  const { guard, groups } = partiesOf(country);
  const kind = weighted(random, kinds);
  const guarded = kind !== "civilians" && random.unit() < 0.6;
  const [a, b] = random.pick([
    [groups[0], groups[1]],
    [groups[1], groups[2]],
    [groups[2], groups[0]],
  ]);
  const target = kind === "civilians" ? `Civilians (${country.name})` : guarded ? a : b;
  return {
    country,
    town: one(random, townsOf(country, "conflict")),
    ago,
    kind,
    guarded,
    first: guarded ? guard : a,
    second: target,
    deaths: deathsOf(random),
  };
}

import type { Report as ConflictReport } from "../../../src/domains/conflict/merge.ts";

/** A report of UCDP, with the precision that decides how far another source's report of the event can be. */
export interface OriginalReport extends ConflictReport {
  /** 1 exact to 7 only the country or at sea, as UCDP defines it. */
  readonly wherePrec: number;
  /** 1 exact to 5 more than a month, as UCDP defines it. */
  readonly datePrec: number;
}

export interface LabeledReports {
  readonly first: readonly ConflictReport[];
  readonly second: readonly ConflictReport[];
  /** The pairs that describe the same event: ID of the second report, ID of the first. The matcher never sees them. */
  readonly truth: ReadonlyMap<string, string>;
}

const dayMs = 86_400_000;
const kmPerDegree = 111.2;

/** Shares and sizes of the changes. They are assumptions about how ACLED and UCDP differ, not measurements. */
const dropped = 0.3;
const decoys = 0.3;
const sameDay = 0.75;
const sameDeaths = 0.6;
const unlikeDeaths = 0.04;
/** Kilometers that a copy moves at most, by `wherePrec`. */
const kmByPrecision = [0, 5, 25, 40, 60, 60, 80, 80];
/** Days that a copy moves at most, by `datePrec`. */
const daysByPrecision = [0, 2, 4, 7, 10, 10];

/**
 * Returns perturbed copies of reports as those of a first source. All of them are synthetic. Copies move in time and
 * space by the precision of the original, and state other deaths. Some originals have no copy. Some copies are decoys:
 * other events near an original.
 */
export function perturbed(originals: readonly OriginalReport[], seed: number): LabeledReports {
  const random = randomFrom(seed);
  const between = (from: number, to: number) => from + random() * (to - from);
  const moved = (report: ConflictReport, maxKm: number) => {
    const [km, angle] = [between(0, maxKm), between(0, 2 * Math.PI)];
    const degrees = km / kmPerDegree;
    const east = degrees / Math.cos((report.latitude * Math.PI) / 180);
    return {
      latitude: report.latitude + degrees * Math.sin(angle),
      longitude: report.longitude + east * Math.cos(angle),
    };
  };
  const first: ConflictReport[] = [];
  const truth = new Map<string, string>();
  const number = (at: number) => `synthetic-${String(Math.floor(random() * 1e9))}-${at}`;
  for (const [at, original] of originals.entries()) {
    if (random() >= dropped) {
      const id = number(at);
      const maxDays = daysByPrecision[original.datePrec] ?? 10;
      const days = random() < sameDay ? 0 : Math.round(between(-maxDays, maxDays));
      const place = moved(original, kmByPrecision[original.wherePrec] ?? 80);
      first.push({
        ...{ id, country: original.country, ...place },
        occurredAt: original.occurredAt + days * dayMs,
        fatalities: deathsLike(original.fatalities, random),
      });
      truth.set(original.id, id);
    }
    if (random() < decoys) {
      first.push({
        ...{ id: number(at), country: original.country, ...moved(original, 100) },
        occurredAt: original.occurredAt + Math.round(between(-14, 14)) * dayMs,
        fatalities: Math.floor(random() ** 3 * 12),
      });
    }
  }
  return { first, second: originals, truth };
}

function deathsLike(deaths: number, random: () => number): number {
  const kind = random();
  if (kind < sameDeaths) return deaths;
  if (kind > 1 - unlikeDeaths)
    return deaths === 0 ? 1 + Math.floor(random() * 5) : Math.ceil(deaths * (2.1 + random()));
  return Math.round(deaths * 2 ** (random() * 2 - 1));
}

/** A seeded generator of numbers from 0 to 1 (mulberry32), so that every run measures the same reports. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const value = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

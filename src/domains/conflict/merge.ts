import { distance } from "geokdbush";
import { dayMs } from "../../reference/duration.ts";

export interface Report {
  readonly id: string;
  /** The alpha-2 code. Empty if the country is unknown, which never counts as the same country. */
  readonly country: string;
  /** The time of the reported event in Unix epoch milliseconds. */
  readonly occurredAt: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly fatalities: number;
}

/**
 * The limits within which two reports can be of one event. Weights of 1 - `minScore` give a pair beyond a limit a lower
 * score. They were chosen on altered reports of the seeds 1 to 4 (test/domains/conflict/matching.test.ts).
 */
export const limits = { days: 5, km: 50, deathRatio: 2, minScore: 0.6 } as const;
export const weights = { days: 0.4, km: 0.4, deaths: 0.2 } as const;
/** The name of the rule that matches reports. It contains the limits, so it changes with them. */
export const rule = `same-country-${limits.days}d-${limits.km}km-deaths-${limits.deathRatio}x-score-${limits.minScore}`;

/** How far before or after a report another report of the same event can be. */
export const reachMs = (limits.days + 1) * dayMs;
/** Reports are grouped in bands of latitude. A band is higher than the maximum distance, so adjacent bands suffice. */
const bandDegrees = 0.5;

export interface Comparison {
  readonly daysApart: number;
  readonly kmApart: number;
  /** How alike the reports are, from 0 (unlike) to 1 (no difference). */
  readonly score: number;
}

/** Compares two reports. The score is 0 if their countries or numbers of deaths cannot be those of one event. */
export function compare(a: Report, b: Report): Comparison {
  const daysApart = Math.abs(dayOf(a) - dayOf(b));
  const kmApart = distance(a.longitude, a.latitude, b.longitude, b.latitude);
  const doublings = doublingsBetween(a.fatalities, b.fatalities);
  const isPossible = a.country !== "" && a.country === b.country && doublings <= Math.log2(limits.deathRatio);
  const penalty =
    (weights.days * daysApart) / limits.days + (weights.km * kmApart) / limits.km + weights.deaths * doublings;
  return { daysApart, kmApart, score: isPossible ? Math.max(1 - penalty, 0) : 0 };
}

export function sameEvent(a: Report, b: Report): boolean {
  return compare(a, b).score >= limits.minScore;
}

/**
 * Maps reports of the second source to reports of the first that they duplicate. Each report is in one pair at most. The
 * pair with the highest score comes first. Among equal scores, the ID decides.
 */
export function duplicates(first: readonly Report[], second: readonly Report[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const taken = new Set<Report>();
  for (const { a, b } of candidates(second, inCells(first))) {
    if (taken.has(a) || pairs.has(b.id)) continue;
    pairs.set(b.id, a.id);
    taken.add(a);
  }
  return pairs;
}

interface Pair {
  readonly a: Report;
  readonly b: Report;
  readonly score: number;
}

/** Returns all pairs of reports that may be of the same event, the highest score first. */
function candidates(second: readonly Report[], first: Cells): Pair[] {
  const pairs: Pair[] = [];
  for (const b of second) {
    for (let day = dayOf(b) - limits.days; day <= dayOf(b) + limits.days; day++) {
      for (let band = bandOf(b) - 1; band <= bandOf(b) + 1; band++) {
        for (const a of first.get(cell(b.country, day, band)) ?? []) {
          const { score } = compare(a, b);
          if (score >= limits.minScore) pairs.push({ a, b, score });
        }
      }
    }
  }
  return pairs.sort((x, y) => y.score - x.score || byId(x.a, y.a) || byId(x.b, y.b));
}

type Cells = ReadonlyMap<string, readonly Report[]>;

function inCells(reports: readonly Report[]): Cells {
  return Map.groupBy(reports, (report) => cell(report.country, dayOf(report), bandOf(report)));
}

function cell(country: string, day: number, band: number): string {
  return `${country} ${day} ${band}`;
}

function dayOf({ occurredAt }: Report): number {
  return Math.floor(occurredAt / dayMs);
}

function bandOf({ latitude }: Report): number {
  return Math.floor(latitude / bandDegrees);
}

/** Returns how often one number must be doubled to get the other. If only one is 0, the result is infinite. */
function doublingsBetween(a: number, b: number): number {
  return a === b ? 0 : a > 0 && b > 0 ? Math.abs(Math.log2(a / b)) : Number.POSITIVE_INFINITY;
}

function byId(a: Report, b: Report): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

import { distance } from "geokdbush";
import { dayMs } from "../../reference/duration.ts";

export interface Report {
  readonly id: string;
  /** The alpha-2 code. Empty if the country is unknown, which never counts as the same country. */
  readonly country: string;
  /** Unix epoch milliseconds. */
  readonly occurredAt: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly fatalities: number;
}

const daysApart = 7;
const kmApart = 50;

/** The time around a report within which a report of the same event can be. */
export const reachMs = (daysApart + 1) * dayMs;
/** Height of a band of latitude. It exceeds the maximum distance, so that only adjacent bands are searched. */
const bandDegrees = 0.5;

/**
 * Reports describe the same event if they have the same country and are at most 7 days and 50 km apart. Their deaths
 * must both be 0 or have a ratio of 0.5 to 2.
 */
export function sameEvent(a: Report, b: Report): boolean {
  return (
    a.country !== "" &&
    a.country === b.country &&
    Math.abs(dayOf(a) - dayOf(b)) <= daysApart &&
    similarDeaths(a.fatalities, b.fatalities) &&
    kmBetween(a, b) <= kmApart
  );
}

/**
 * Maps reports of the second source to reports of the first that they duplicate. Each report is in one pair at most. If
 * several pairs are possible, the fewest days, then the fewest kilometers, then the ID decide.
 */
export function duplicates(first: readonly Report[], second: readonly Report[]): ReadonlyMap<string, string> {
  const open = new Map(second.map((report) => [report.id, report]));
  const free = inCells(first);
  const pairs = new Map<string, string>();
  for (let days = 0; days <= daysApart; days++) {
    const taken = new Set<Report>();
    for (const { a, b } of candidates(open.values(), free, days)) {
      if (taken.has(a) || !open.has(b.id)) continue;
      pairs.set(b.id, a.id);
      taken.add(a);
      open.delete(b.id);
    }
    for (const a of taken) free.get(cell(a.country, dayOf(a), bandOf(a)))?.delete(a);
  }
  return pairs;
}

interface Pair {
  readonly a: Report;
  readonly b: Report;
  readonly km: number;
}

/** Returns all possible pairs whose reports are this number of days apart, nearest first. */
function candidates(open: Iterable<Report>, free: Cells, days: number): Pair[] {
  const pairs: Pair[] = [];
  for (const b of open) {
    for (const day of new Set([dayOf(b) - days, dayOf(b) + days])) {
      for (let band = bandOf(b) - 1; band <= bandOf(b) + 1; band++) {
        for (const a of free.get(cell(b.country, day, band)) ?? []) {
          if (sameEvent(a, b)) pairs.push({ a, b, km: kmBetween(a, b) });
        }
      }
    }
  }
  return pairs.sort((x, y) => x.km - y.km || byId(x.a, y.a) || byId(x.b, y.b));
}

type Cells = ReadonlyMap<string, Set<Report>>;

function inCells(reports: readonly Report[]): Cells {
  const cells = new Map<string, Set<Report>>();
  for (const report of reports) {
    const key = cell(report.country, dayOf(report), bandOf(report));
    const group = cells.get(key);
    if (group) group.add(report);
    else cells.set(key, new Set([report]));
  }
  return cells;
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

function kmBetween(a: Report, b: Report): number {
  return distance(a.longitude, a.latitude, b.longitude, b.latitude);
}

function similarDeaths(a: number, b: number): boolean {
  return a === b || (a > 0 && b > 0 && a <= 2 * b && b <= 2 * a);
}

function byId(a: Report, b: Report): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

import { type InternetOutage, OutageSeverity } from "../../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { sourcesReadAt } from "../../../ingest/stored-metadata.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import type { Transaction } from "../../../store/tables.ts";
import { acled, conflictEvents, countEvents, newestDay, oldestEventAt, ucdp } from "../../conflict/published.ts";
import { cloudflareRadar, internetOutages, outagesAt, storedOutages } from "../../infrastructure/published.ts";
import { riskCountries } from "./risk-countries.ts";
import type { ReportedInput } from "./risk-inputs.ts";
import type { ReportedValues, Signal } from "./risk-values.ts";

interface AsOf {
  readonly origin: "live" | "sample";
  readonly now: Date;
}

type Read = (transaction: Transaction, point: AsOf) => Promise<Omit<ReportedValues, "fetchedAt">>;

const eventDays = 30;
/** How many days of conflict events from UCDP are read: two years. */
const warDays = 730;

export const storedDatasets = [conflictEvents, internetOutages];

const readers: readonly (readonly [source: { readonly name: string }, read: Read])[] = [
  [acled, acledSignals],
  [ucdp, ucdpSignals],
  [cloudflareRadar, outageSignals],
];

export async function readStored(transaction: Transaction, point: AsOf) {
  const readAt = await sourcesReadAt(transaction, storedDatasets, point.origin);
  const reported = new Map<string, ReportedValues>();
  for (const [{ name }, read] of readers) {
    const fetchedAt = readAt.get(name);
    if (fetchedAt) reported.set(name, { fetchedAt, ...(await read(transaction, point)) });
  }
  return reported;
}

const acledInputs: Readonly<Record<string, ReportedInput>> = {
  Battles: "battles",
  "Explosions/Remote violence": "explosions",
  "Violence against civilians": "civilianViolence",
};

const countries = riskCountries.map(({ code }) => code);

async function acledSignals(transaction: Transaction, { origin, now }: AsOf) {
  const window = { from: since(now, eventDays), to: now.getTime() };
  const counts = await countEvents(transaction, { source: acled, origin, ...window, countries }, { day: true });
  const signals = counts.flatMap(({ country, kind, day: date, events, deaths }): Signal[] => {
    const input = acledInputs[kind];
    const kinds: Signal[] = input ? [{ country, input, date, amount: events }] : [];
    return [...kinds, { country, input: "conflictDeaths", date, amount: deaths }];
  });
  return { signals };
}

async function ucdpSignals(transaction: Transaction, { origin, now }: AsOf) {
  const from = since(now, warDays);
  const window = { from, to: now.getTime() };
  const counts = await countEvents(transaction, { source: ucdp, origin, ...window, countries }, { day: false });
  const at = (await oldestEventAt(transaction, { source: ucdp, origin })) ?? from;
  const signals = [...Map.groupBy(counts, ({ country }) => country)].flatMap(([country, kinds]): Signal[] => {
    const date = newestDay(kinds);
    const sum = (of: "events" | "deaths") => kinds.reduce((total, kind) => total + kind[of], 0);
    return [
      { country, input: "warEvents", date, amount: sum("events") },
      { country, input: "warDeaths", date, amount: sum("deaths") },
    ];
  });
  return { signals, ...(at >= from + dayMs && { countedFrom: isoDay(at) }) };
}

function since(now: Date, days: number): number {
  return Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs;
}

async function outageSignals(transaction: Transaction, { now }: AsOf) {
  const stored = await storedOutages(transaction);
  return { signals: stored ? outageCounts(stored, now) : [] };
}

export function outageCounts(outages: readonly InternetOutage[], now: Date): Signal[] {
  const groups = Map.groupBy(outagesAt(outages, now), ({ country, severity }) => `${country} ${severity}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const input = first && outageInputs.get(first.severity);
    if (!input) return [];
    const newest = Math.max(...group.map(({ detectedAt }) => Number(detectedAt)));
    return [{ country: first.country, input, amount: group.length, date: isoDay(newest) }];
  });
}

const outageInputs: ReadonlyMap<OutageSeverity, ReportedInput> = new Map([
  [OutageSeverity.TOTAL, "totalOutages"],
  [OutageSeverity.MAJOR, "majorOutages"],
  [OutageSeverity.PARTIAL, "partialOutages"],
]);

import { sql, type Transaction } from "kysely";
import {
  type InternetOutage,
  ListInternetOutagesResponseSchema,
  OutageSeverity,
} from "../../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { storedMessage } from "../../../ingest/snapshot.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { riskCountries } from "./risk-countries.ts";
import type { ToldInput } from "./risk-inputs.ts";
import { dayOf } from "./risk-signals.ts";
import type { Signal, Told } from "./risk-values.ts";

/** The moment, and whether samples or live answers are looked at. */
interface Point {
  readonly origin: "live" | "sample";
  readonly now: Date;
}

const dayMs = 86_400_000;
const eventDays = 30;
/** UCDP's wars are told over two years, as far as they are stored. */
const warDays = 730;

/** What other domains' sources told last, read from where these domains keep it. */
export async function readStored(transaction: Transaction<StoreTables>, point: Point): Promise<Map<string, Told>> {
  const readers: Readonly<
    Record<string, (transaction: Transaction<StoreTables>, point: Point) => Promise<Omit<Told, "fetchedAt">>>
  > = {
    acled: acledSignals,
    ucdp: ucdpSignals,
    "cloudflare-radar": outageSignals,
  };
  const rows = await transaction
    .selectFrom("source")
    .select(["source", "fetched_at"])
    .where("dataset", "in", ["conflict-events", "internet-outages"])
    .where("good_origin", "=", point.origin)
    .execute();
  const told = new Map<string, Told>();
  for (const { source, fetched_at: fetchedAt } of rows) {
    const read = readers[source];
    if (read && fetchedAt) told.set(source, { fetchedAt, ...(await read(transaction, point)) });
  }
  return told;
}

const acledInputs: Readonly<Record<string, ToldInput>> = {
  Battles: "battles",
  "Explosions/Remote violence": "explosions",
  "Violence against civilians": "civilianViolence",
};

async function acledSignals(transaction: Transaction<StoreTables>, { origin, now }: Point) {
  const { rows } = await sql<{ country: string; type: string; date: string; events: number; deaths: number }>`
    select country, event_type as type, to_char(to_timestamp(occurred_at / 1000) at time zone 'UTC', 'YYYY-MM-DD') as date,
      count(*)::float8 as events, sum(fatalities)::float8 as deaths
    from conflict_event
    where source_key = 'acled' and origin = ${origin} and occurred_at between ${since(now, eventDays)} and ${now.getTime()}
      and country = any(${scored})
    group by 1, 2, 3`.execute(transaction);
  const signals = rows.flatMap(({ country, type, date, events, deaths }): Signal[] => {
    const input = acledInputs[type];
    const kinds: Signal[] = input ? [{ country, input, date, amount: events }] : [];
    return [...kinds, { country, input: "conflictDeaths", date, amount: deaths }];
  });
  return { signals };
}

async function ucdpSignals(transaction: Transaction<StoreTables>, { origin, now }: Point) {
  const from = since(now, warDays);
  const { rows } = await sql<{ country: string; date: string; events: number; deaths: number }>`
    select country, to_char(to_timestamp(max(occurred_at) / 1000) at time zone 'UTC', 'YYYY-MM-DD') as date,
      count(*)::float8 as events, sum(fatalities)::float8 as deaths
    from conflict_event
    where source_key = 'ucdp' and origin = ${origin} and occurred_at between ${from} and ${now.getTime()}
      and country = any(${scored})
    group by 1`.execute(transaction);
  const first = await sql<{ at: number | null }>`
    select min(occurred_at)::float8 as at from conflict_event
    where source_key = 'ucdp' and origin = ${origin}`.execute(transaction);
  const at = first.rows[0]?.at ?? from;
  const signals = rows.flatMap(({ country, date, events, deaths }): Signal[] => [
    { country, input: "warEvents", date, amount: events },
    { country, input: "warDeaths", date, amount: deaths },
  ]);
  return { signals, ...(at >= from + dayMs && { countedFrom: dayOf(at) }) };
}

const scored = riskCountries.map(({ code }) => code);

function since(now: Date, days: number): number {
  return Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs;
}

async function outageSignals(transaction: Transaction<StoreTables>, { now }: Point) {
  const stored = await storedMessage(transaction, ListInternetOutagesResponseSchema);
  return { signals: stored ? outageCounts(stored.outages, now) : [] };
}

const longestMs = eventDays * dayMs;

/** Outages of each country that last or ended within a day; one whose end nobody noted counts for 30 days. */
export function outageCounts(outages: readonly InternetOutage[], now: Date): Signal[] {
  const at = now.getTime();
  const counted = outages.filter(({ detectedAt, endedAt }) => {
    const [start, end] = [Number(detectedAt), Number(endedAt)];
    return start <= at && start > at - longestMs && (end === 0 || end > at - dayMs);
  });
  const groups = Map.groupBy(counted, ({ country, severity }) => `${country} ${severity}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const input = first && outageInputs.get(first.severity);
    if (!input) return [];
    const newest = Math.max(...group.map(({ detectedAt }) => Number(detectedAt)));
    return [{ country: first.country, input, amount: group.length, date: new Date(newest).toISOString().slice(0, 10) }];
  });
}

const outageInputs: ReadonlyMap<OutageSeverity, ToldInput> = new Map([
  [OutageSeverity.TOTAL, "totalOutages"],
  [OutageSeverity.MAJOR, "majorOutages"],
  [OutageSeverity.PARTIAL, "partialOutages"],
]);

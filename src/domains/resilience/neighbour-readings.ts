import { sql, type Transaction } from "kysely";
import { GetEuGasStorageResponseSchema } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  type InternetOutage,
  ListInternetOutagesResponseSchema,
  OutageSeverity,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { storedMessage } from "../../ingest/snapshot.ts";
import type { StoreTables } from "../../store/tables.ts";
import { gasCountries, scoredCountries } from "./countries.ts";
import type { InputReading } from "./facts.ts";
import { type InputName, inputs, type SourceName } from "./inputs.ts";
import { mean } from "./method/mean.ts";

/** The moment, and whether samples or live answers are looked at. */
export interface Point {
  readonly origin: "live" | "sample";
  readonly now: Date;
}

/** Sources that other domains read, and where they keep what these tell. */
export const neighbours = {
  ucdp: { dataset: "conflict-events", read: conflictReadings },
  "cloudflare-radar": { dataset: "internet-outages", read: outageReadings },
  agsi: { dataset: "eu-gas-storage", read: gasReadings },
  portwatch: { dataset: "chokepoint-status", read: transitReadings },
} satisfies Partial<
  Record<
    SourceName,
    { dataset: string; read: (transaction: Transaction<StoreTables>, point: Point) => Promise<InputReading[]> }
  >
>;
const names = Object.keys(neighbours) as (keyof typeof neighbours)[];

const dayMs = 86_400_000;
const conflictDays = 365;
/** One whose end nobody noted counts for so long. */
const outageDays = 30;

/** When each was last read. */
export async function neighbourSources(
  transaction: Transaction<StoreTables>,
  { origin }: Point,
): Promise<Map<SourceName, Date | undefined>> {
  const rows = await transaction
    .selectFrom("source")
    .select(["dataset", "source", "fetched_at"])
    .where("good_origin", "=", origin)
    .execute();
  return new Map(
    names.map((name) => {
      const { dataset } = neighbours[name];
      return [name, rows.find((row) => row.source === name && row.dataset === dataset)?.fetched_at ?? undefined];
    }),
  );
}

/** What those tell that were read. */
export async function neighbourReadings(
  transaction: Transaction<StoreTables>,
  point: Point,
  readAt: ReadonlyMap<SourceName, Date | undefined>,
): Promise<InputReading[]> {
  const readings: InputReading[] = [];
  for (const name of names) {
    const at = readAt.get(name);
    // What has changed since it was read is not known: an outage or a war that would have run out is not over.
    const then = at && { ...point, now: new Date(Math.min(Number(at), Number(point.now))) };
    if (then) readings.push(...(await neighbours[name].read(transaction, then)));
  }
  return readings;
}

/** The value of an input for each country; of a scored one that is not named it is 0, for the source tells of all of them. */
function ofEach(input: InputName, period: string, values: ReadonlyMap<string, number>): InputReading[] {
  const [[source, series] = []] = inputs[input].told;
  if (!source || !series) return [];
  return [...new Set([...scoredCountries, ...values.keys()])].map((country) => ({
    ...{ country, input, period, source, series, value: values.get(country) ?? 0 },
  }));
}

const kindPoints: Readonly<Record<string, number>> = { "State-based conflict": 2, "One-sided violence": 1.5 };

async function conflictReadings(
  transaction: Transaction<StoreTables>,
  { origin, now }: Point,
): Promise<InputReading[]> {
  const { rows } = await sql<{ country: string; kind: string; events: number; deaths: number; newest: number }>`
    select country, event_type as kind, count(*)::float8 as events, sum(fatalities)::float8 as deaths,
      max(occurred_at)::float8 as newest
    from conflict_event
    where source_key = 'ucdp' and origin = ${origin}
      and occurred_at between ${now.getTime() - conflictDays * dayMs} and ${now.getTime()}
    group by 1, 2`.execute(transaction);
  // A feed that tells of nothing in the world is broken.
  if (rows.length === 0) return [];
  const period = dayOf(Math.max(...rows.map(({ newest }) => newest)));
  const sums = (points: (row: (typeof rows)[number]) => number) => {
    const byCountry = new Map<string, number>();
    for (const row of rows) byCountry.set(row.country, (byCountry.get(row.country) ?? 0) + points(row));
    return byCountry;
  };
  return [
    ...ofEach(
      "conflictEvents",
      period,
      sums(({ events }) => events),
    ),
    ...ofEach(
      "conflictKinds",
      period,
      sums(({ events, kind }) => events * (kindPoints[kind] ?? 1)),
    ),
    ...ofEach(
      "conflictDeaths",
      period,
      sums(({ deaths }) => deaths),
    ),
  ];
}

const outagePoints: ReadonlyMap<OutageSeverity, number> = new Map([
  [OutageSeverity.TOTAL, 4],
  [OutageSeverity.MAJOR, 2],
  [OutageSeverity.PARTIAL, 1],
]);

async function outageReadings(transaction: Transaction<StoreTables>, { now }: Point): Promise<InputReading[]> {
  const stored = await storedMessage(transaction, ListInternetOutagesResponseSchema);
  if (!stored) return [];
  const { outages } = stored;
  const [newest] = outages.map(({ detectedAt }) => Number(detectedAt)).sort((a, b) => b - a);
  return newest === undefined ? [] : ofEach("outages", dayOf(newest), outageSums(outages, now));
}

/** Points of each country's outages that last or ended within a day. */
function outageSums(outages: readonly InternetOutage[], now: Date): Map<string, number> {
  const at = now.getTime();
  const sums = new Map<string, number>();
  for (const { country, severity, detectedAt, endedAt } of outages) {
    const [start, end] = [Number(detectedAt), Number(endedAt)];
    const isNow = start <= at && start > at - outageDays * dayMs && (end === 0 || end > at - dayMs);
    if (isNow) sums.set(country, (sums.get(country) ?? 0) + (outagePoints.get(severity) ?? 0));
  }
  return sums;
}

async function gasReadings(transaction: Transaction<StoreTables>): Promise<InputReading[]> {
  const stored = await storedMessage(transaction, GetEuGasStorageResponseSchema);
  if (!stored || stored.unavailable) return [];
  const { fillPct, updatedAt } = stored;
  const filled = new Set(gasCountries.split(" "));
  return ofEach("gasFill", updatedAt, new Map([...filled].map((country) => [country, fillPct]))).filter(({ country }) =>
    filled.has(country),
  );
}

async function transitReadings(transaction: Transaction<StoreTables>): Promise<InputReading[]> {
  const { rows } = await sql<{ flow: number | null; warnings: number; period: string | null }>`
    select flow_ratio as flow, warnings, to_char(observed_to, 'YYYY-MM-DD') as period
    from chokepoint_status`.execute(transaction);
  const followed = rows.flatMap(({ flow, warnings, period }) =>
    flow === null || period === null ? [] : [{ period, loss: Math.max(0, 1 - flow) * 100 + 0.5 * warnings }],
  );
  const [newest] = followed.map(({ period }) => period).sort((a, b) => (a > b ? -1 : 1));
  if (newest === undefined) return [];
  const value = mean(followed.map(({ loss }) => loss).filter((loss) => loss > 0));
  return ofEach("transitDisruption", newest, new Map(scoredCountries.map((country) => [country, value])));
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

import { type InternetOutage, OutageSeverity } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { sourcesReadAt } from "../../ingest/stored-metadata.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { namesOf } from "../../reference/named.ts";
import { mean } from "../../reference/sums.ts";
import type { Transaction } from "../../store/tables.ts";
import { conflictEvents, countEvents, newestDay, ucdp } from "../conflict/published.ts";
import { euGasStorage, storedGasStorage } from "../economic/published.ts";
import { internetOutages, outagesAt, storedOutages } from "../infrastructure/published.ts";
import { chokepointStatus, storedPassages } from "../supply-chain/published.ts";
import { gasCountries, scoredCountries } from "./countries.ts";
import type { InputReading } from "./country-data.ts";
import { type InputName, inputs, type SourceName } from "./inputs.ts";

export interface AsOf {
  readonly origin: "live" | "sample";
  readonly now: Date;
}

type Read = (transaction: Transaction, point: AsOf) => Promise<InputReading[]>;

export const neighborDatasets = [conflictEvents, internetOutages, euGasStorage, chokepointStatus];

const readers = {
  ucdp: conflictReadings,
  "cloudflare-radar": outageReadings,
  agsi: gasReadings,
  portwatch: transitReadings,
} as const satisfies Partial<Record<SourceName, Read>>;

export const neighbors = namesOf(readers);

const conflictDays = 365;

export async function crossDomainSources(transaction: Transaction, { origin }: AsOf) {
  const readAt = await sourcesReadAt(transaction, neighborDatasets, origin);
  return new Map(neighbors.map((name) => [name, readAt.get(name)]));
}

export async function crossDomainReadings(
  transaction: Transaction,
  point: AsOf,
  readAt: ReadonlyMap<SourceName, Date | undefined>,
): Promise<InputReading[]> {
  const readings: InputReading[] = [];
  for (const name of neighbors) {
    const at = readAt.get(name);
    // Events after the last read are unknown, so outages and wars are those that were ongoing at the last read.
    const then = at && { ...point, now: new Date(Math.min(Number(at), Number(point.now))) };
    if (then) readings.push(...(await readers[name](transaction, then)));
  }
  return readings;
}

/** Returns a value for each country. The source covers all countries, so a country that it does not list has 0. */
function ofEach(input: InputName, period: string, values: ReadonlyMap<string, number>): InputReading[] {
  const [[source, series] = []] = inputs[input].reportedBy;
  if (!source || !series) return [];
  return [...new Set([...scoredCountries, ...values.keys()])].map((country) => ({
    country,
    input,
    period,
    source,
    series,
    value: values.get(country) ?? 0,
  }));
}

const kindPoints: Readonly<Record<string, number>> = { "State-based conflict": 2, "One-sided violence": 1.5 };

async function conflictReadings(transaction: Transaction, { origin, now }: AsOf): Promise<InputReading[]> {
  const window = { from: now.getTime() - conflictDays * dayMs, to: now.getTime() };
  const rows = await countEvents(transaction, { source: ucdp, origin, ...window }, { day: false });
  // A response without a row for any country means that the source is broken, so no country gets a value.
  if (rows.length === 0) return [];
  const period = newestDay(rows);
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

async function outageReadings(transaction: Transaction, { now }: AsOf): Promise<InputReading[]> {
  const outages = (await storedOutages(transaction)) ?? [];
  const [newest] = outages.map(({ detectedAt }) => Number(detectedAt)).sort((a, b) => b - a);
  return newest === undefined ? [] : ofEach("outages", isoDay(newest), outageSums(outages, now));
}

function outageSums(outages: readonly InternetOutage[], now: Date): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { country, severity } of outagesAt(outages, now))
    sums.set(country, (sums.get(country) ?? 0) + (outagePoints.get(severity) ?? 0));
  return sums;
}

async function gasReadings(transaction: Transaction): Promise<InputReading[]> {
  const stored = await storedGasStorage(transaction);
  if (!stored) return [];
  const { fillPct, updatedAt } = stored;
  const filled = new Set(gasCountries.split(" "));
  return ofEach("gasFill", updatedAt, new Map([...filled].map((country) => [country, fillPct]))).filter(({ country }) =>
    filled.has(country),
  );
}

async function transitReadings(transaction: Transaction): Promise<InputReading[]> {
  const followed = (await storedPassages(transaction)).flatMap(({ flowRatio, warnings, observedTo: period }) =>
    flowRatio === null || period === null ? [] : [{ period, loss: Math.max(0, 1 - flowRatio) * 100 + 0.5 * warnings }],
  );
  const [newest] = followed.map(({ period }) => period).sort((a, b) => (a > b ? -1 : 1));
  if (newest === undefined) return [];
  const value = mean(followed.map(({ loss }) => loss).filter((loss) => loss > 0));
  return ofEach("transitDisruption", newest, new Map(scoredCountries.map((country) => [country, value])));
}

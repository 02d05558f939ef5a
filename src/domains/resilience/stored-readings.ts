import { sql } from "kysely";
import { isoDay } from "../../reference/calendar.ts";
import type { Transaction } from "../../store/tables.ts";
import type { InputReading } from "./country-data.ts";
import { type AsOf, crossDomainReadings, crossDomainSources } from "./cross-domain-readings.ts";
import { resilienceInputs } from "./inputs/resilience-inputs.ts";
import type { SourceName } from "./inputs.ts";

export interface Stored {
  readonly readings: readonly InputReading[];
  readonly readAt: ReadonlyMap<SourceName, Date | undefined>;
}

/** The stored values of the sources that only this domain reads. They do not depend on the current time. */
export interface StoredInputs extends Stored {
  /** The newest day to which the annual data refers, YYYY-MM-DD. Empty if there is none. */
  readonly dataVersion: string;
}

export async function readInputs(transaction: Transaction, { origin }: Pick<AsOf, "origin">): Promise<StoredInputs> {
  const { rows } = await sql<InputReading & { fetchedAt: Date }>`
    select source, input, country, period, series, value, fetched_at as "fetchedAt"
    from resilience_input where origin = ${origin} order by input, country`.execute(transaction);
  const readAt = new Map<SourceName, Date | undefined>(
    resilienceInputs.sources.map(({ name }) => [name as SourceName, undefined]),
  );
  for (const { source, fetchedAt } of rows) {
    const known = readAt.get(source);
    if (readAt.has(source) && !(known && known > fetchedAt)) readAt.set(source, fetchedAt);
  }
  const newest = Math.max(...[...readAt.values()].flatMap((at) => at?.getTime() ?? []));
  return {
    readings: rows.map(({ fetchedAt: _, ...reading }) => reading),
    readAt,
    dataVersion: Number.isFinite(newest) ? isoDay(newest) : "",
  };
}

export async function withNeighbors(transaction: Transaction, own: Stored, point: AsOf): Promise<Stored> {
  const neighbors = await crossDomainSources(transaction, point);
  return {
    readings: [...own.readings, ...(await crossDomainReadings(transaction, point, neighbors))],
    readAt: new Map([...own.readAt, ...neighbors]),
  };
}

import { sql, type Transaction } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import { type AsOf, crossDomainReadings, crossDomainSources } from "./cross-domain-readings.ts";
import type { InputReading } from "./facts.ts";
import { resilienceInputs } from "./inputs/resilience-inputs.ts";
import type { SourceName } from "./inputs.ts";

/** What is stored of countries. */
export interface Stored {
  readonly readings: readonly InputReading[];
  /** Every source that there is, with the moment it was last read. */
  readonly readAt: ReadonlyMap<SourceName, Date | undefined>;
  /** Day of the newest annual data, YYYY-MM-DD; empty where there is none. */
  readonly dataVersion: string;
}

/** Reads what the sources of our own told last, and what other domains keep. */
export async function readStored(transaction: Transaction<StoreTables>, point: AsOf): Promise<Stored> {
  const { rows } = await sql<InputReading & { fetchedAt: Date }>`
    select source, input, country, period, series, value, fetched_at as "fetchedAt"
    from resilience_input where origin = ${point.origin} order by input, country`.execute(transaction);
  const own = new Map<SourceName, Date | undefined>(
    resilienceInputs.sources.map(({ name }) => [name as SourceName, undefined]),
  );
  for (const { source, fetchedAt } of rows) {
    const known = own.get(source);
    if (own.has(source) && !(known && known > fetchedAt)) own.set(source, fetchedAt);
  }
  const neighbours = await crossDomainSources(transaction, point);
  const newest = Math.max(...[...own.values()].flatMap((at) => at?.getTime() ?? []));
  return {
    readings: [
      ...rows.map(({ source, input, country, period, series, value }) => ({
        source,
        input,
        country,
        period,
        series,
        value,
      })),
      ...(await crossDomainReadings(transaction, point, neighbours)),
    ],
    readAt: new Map<SourceName, Date | undefined>([...own, ...neighbours]),
    dataVersion: Number.isFinite(newest) ? new Date(newest).toISOString().slice(0, 10) : "",
  };
}

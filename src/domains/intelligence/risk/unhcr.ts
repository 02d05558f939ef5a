import type { Parsed, Source } from "../../../ingest/source.ts";
import { readPopulation, unhcrMetadata } from "../../../providers/unhcr/unhcr-population.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { counted } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

/**
 * People displaced from and within each country at the end of the newest year, from the UN High Commissioner for
 * Refugees.
 */
export const unhcr: Source<SignalRow> = {
  ...unhcrMetadata,
  parse: parseYear,
  observedAt: ({ date = "" }) => Date.parse(date),
};

function parseYear(response: unknown, now: Date): Parsed<Signal> {
  const { populations, rejected } = readPopulation(response);
  const displaced = populations.flatMap(({ year, origin, refugees, asylumSeekers, idps, others }): Signal[] => {
    if (origin === undefined) return [];
    // Data for the current year is reported in the middle of the year, but the end of the year is still in the future.
    const date = isoDay(Math.min(Date.UTC(year, 11, 31), now.getTime()));
    return [{ country: origin, input: "displaced", date, amount: refugees + asylumSeekers + idps + others }];
  });
  return { rows: counted(displaced), rejected };
}

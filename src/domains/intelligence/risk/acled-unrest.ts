import { z } from "zod";
import { day, number, text } from "../../../ingest/row-fields.ts";
import type { Parsed, Source } from "../../../ingest/source.ts";
import { acledCountry, acledRows, acledTerms, fetchAcled } from "../../../providers/acled/acled.ts";
import { counted } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

const eventTypes = ["Protests", "Riots"] as const;
const days = 30;

/** Protests and riots of the last 30 days from ACLED, which requires a license. */
export const acledUnrest: Source<SignalRow> = {
  name: "acled-unrest",
  ...acledTerms,
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: (upstream) => fetchAcled(upstream, { eventTypes, days }),
  parse: parsePages,
  observedAt: ({ date = "" }) => Date.parse(date),
  minutesApart: 3 * 60,
};

const rowSchema = z.object({
  event_date: day,
  event_type: z.enum(eventTypes),
  sub_event_type: text,
  iso: number.nullish().catch(null),
  country: text,
  // If the number of deaths is not a number, the event counts without deaths.
  fatalities: number.pipe(z.number().min(0)).catch(0),
});

function parsePages(pages: unknown): Parsed<Signal> {
  const { rows, rejected } = acledRows(pages, rowSchema);
  return { rows: counted([...rows.values()].flatMap(signals)), rejected };
}

function signals(row: z.output<typeof rowSchema>): Signal[] {
  // Events at sea count for no country.
  const country = acledCountry(row)?.alpha2 ?? "";
  const { event_date: date, fatalities, sub_event_type } = row;
  const isSevere = fatalities > 0 || sub_event_type === "Excessive force against protesters";
  return [
    { country, date, input: "protests", amount: 1 },
    { country, date, input: "protestDeaths", amount: Math.trunc(fatalities) },
    { country, date, input: "severeProtests", amount: isSevere ? 1 : 0 },
  ];
}

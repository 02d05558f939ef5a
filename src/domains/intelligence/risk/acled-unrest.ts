import { z } from "zod";
import { rejection } from "../../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { acledEvents, acledId, acledTerms, askAcled } from "../../../providers/acled/acled.ts";
import { countryByName, countryByNumeric } from "../../../reference/countries/countries.ts";
import { number, startDay, text } from "../fields.ts";
import { counted } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

const eventTypes = ["Protests", "Riots"] as const;
const days = 30;

/** Protests and riots of the last 30 days. */
export const acledUnrest: Source<SignalRow> = {
  name: "acled-unrest",
  ...acledTerms,
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: (upstream) => askAcled(upstream, { eventTypes, days }),
  parse: parsePages,
  observedAt: ({ date = "" }) => Date.parse(date),
  minutesApart: 3 * 60,
};

const rowSchema = z.object({
  event_date: startDay,
  event_type: z.enum(eventTypes),
  sub_event_type: text,
  iso: number.nullish().catch(null),
  country: text,
  // What is no number counts as none reported.
  fatalities: number.pipe(z.number().min(0)).catch(0),
});

/** A later row of the same id is the newer edition of the event. */
function parsePages(pages: unknown): Parsed<Signal> {
  const events = new Map<string, Signal[]>();
  const rejected: Rejection[] = [];
  for (const [place, value] of z.array(z.unknown()).parse(pages).flatMap(acledEvents).entries()) {
    const id = acledId(value);
    const read = rowSchema.safeParse(value);
    if (id === undefined) rejected.push({ row: `#${place}`, reason: "has no event_id_cnty" });
    else if (!read.success) rejected.push(rejection(id, read.error));
    else {
      const { country: name, iso, event_date: date, fatalities, sub_event_type } = read.data;
      // Events at sea have the sea for a country; they count for none.
      const country = (countryByNumeric(iso ?? 0) ?? countryByName(name))?.alpha2 ?? "";
      const isSevere = fatalities > 0 || sub_event_type === "Excessive force against protesters";
      events.set(id, [
        { country, date, input: "protests", amount: 1 },
        { country, date, input: "protestDeaths", amount: Math.trunc(fatalities) },
        { country, date, input: "severeProtests", amount: isSevere ? 1 : 0 },
      ]);
    }
  }
  return { rows: counted([...events.values()].flat()), rejected };
}

import { z } from "zod";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { countryByName } from "../../../reference/countries/countries.ts";
import { readFeed } from "../feed.ts";
import { dayOf } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

/** US Department of State: a travel advisory for each country, level 1 to 4. */
export const stateAdvisories: Source<SignalRow> = {
  name: "state-advisories",
  licence: { kind: "open", terms: "US government, public domain; Department of State" },
  variables: [],
  rows: { atLeast: 150, mayBeEmpty: false },
  fetch: (upstream) => upstream.text({ url: "https://travel.state.gov/_res/rss/TAsTWs.xml" }),
  parse: parseFeed,
  observedAt: ({ date = "" }) => Date.parse(date),
  minutesApart: 30,
};

/** `Yemen - Level 4: Do Not Travel`, and of some countries `Mexico Travel Advisory - Level 2: …`. */
const titled = /^(.+?)(?: Travel Advisory)?\s+[-–—]\s+Level\s+([1-4])\b/i;

function parseFeed(answer: unknown, now: Date): Parsed<Signal> {
  const rows: Signal[] = [];
  const rejected: Rejection[] = [];
  for (const { title, published } of readFeed("State Department", z.string().parse(answer))) {
    const [, name = "", level] = titled.exec(title) ?? [];
    if (level === undefined) {
      // Of no country.
      if (!/^worldwide caution/i.test(title)) rejected.push({ row: title.slice(0, 80), reason: "names no level" });
      continue;
    }
    const codes = countriesOf(name);
    if (codes.length === 0) rejected.push({ row: title.slice(0, 80), reason: `${name} is no country` });
    const date = issuedOn(published, now);
    for (const country of codes) rows.push({ country, input: "advisoryLevel", amount: Number(level), date });
  }
  return { rows, rejected };
}

/** One country, or several in one title: `Israel, the West Bank and Gaza`, `Mainland China, Hong Kong & Macau`. */
function countriesOf(name: string): string[] {
  const whole = countryByName(name);
  if (whole) return [whole.alpha2];
  const named = name.split(/,|\band\b|&/).flatMap((part) => countryByName(part)?.alpha2 ?? []);
  return [...new Set(named)];
}

/** The day in `Tue, 17 Nov 2026` and in longer forms; where there is none, that of the reading. */
function issuedOn(published: string, now: Date): string {
  const [day] = /\d{1,2} [A-Z][a-z]{2} \d{4}/.exec(published) ?? [];
  const at = Date.parse(`${day} UTC`);
  // Some are dated to come.
  return dayOf(Number.isNaN(at) ? now.getTime() : Math.min(at, now.getTime()));
}

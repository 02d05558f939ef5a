import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { countryByName } from "../../../reference/countries/countries.ts";
import { sourceDay } from "../../../reference/source-time.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { type FeedItem, feedHeaders, readFeed } from "../feed.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

/** Travel advisories of the US Department of State, with a level from 1 to 4 per country. */
export const stateAdvisories: Source<SignalRow> = {
  name: "state-advisories",
  license: {
    kind: "open",
    publisher: "US Department of State",
    terms: "US government, public domain; Department of State",
  },
  access: {
    rejection: "The site sometimes blocks programs and addresses; in that case the department's data service is used.",
  },
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: fetchAdvisories,
  parse: parseAdvisories,
  observedAt: ({ date = "" }) => Date.parse(date),
  minutesApart: 30,
};

const who = "State Department";
const feedAddress = "https://travel.state.gov/_res/rss/TAsTWs.xml";
const dataAddress = "https://cadataapi.state.gov/api/TravelAdvisories";

/** Fetches the advisories from the feed. If the site blocks it, fetches them from the department's data service. */
async function fetchAdvisories(upstream: Upstream): Promise<unknown> {
  try {
    const feed = await upstream.text({ url: feedAddress, headers: feedHeaders });
    if (readFeed(who, feed).length > 0) return feed;
    throw new UpstreamError(`${who} sent a feed without items`, { status: 200 });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const data = upstream.json({ url: dataAddress, headers: { accept: "application/json" } });
    return data.then(
      (list) => (Array.isArray(list) && list.length > 0 ? list : Promise.reject(error)),
      () => Promise.reject(error),
    );
  }
}

const listSchema = z.array(z.unknown());
const advisorySchema = z.object({ Title: z.string(), Updated: z.string().nullish(), Published: z.string().nullish() });

function advisoriesOf(response: unknown): readonly Pick<FeedItem, "title" | "published">[] {
  const list = listSchema.safeParse(response);
  if (!list.success) return readFeed(who, z.string().parse(response));
  const read = list.data.map((one) => advisorySchema.safeParse(one).data);
  if (read.every((one) => one === undefined)) throw new UpstreamError(`${who} sent a list without titles`);
  return read.map((one) => ({ title: one?.Title ?? "", published: one?.Updated ?? one?.Published ?? "" }));
}

/** Matches titles such as `Yemen - Level 4: Do Not Travel` and `Mexico Travel Advisory - Level 2: …`. */
const titled = /^(.+?)(?: Travel Advisory)?\s+[-–—]\s+Level\s+([1-4])\b/i;

function parseAdvisories(response: unknown, now: Date): Parsed<Signal> {
  const rows: Signal[] = [];
  const rejected: Rejection[] = [];
  for (const { title, published } of advisoriesOf(response)) {
    const [, name = "", level] = titled.exec(title) ?? [];
    if (level === undefined) {
      // The worldwide caution has no country, so it is omitted without a rejection.
      if (!/^worldwide caution/i.test(title)) rejected.push({ row: title.slice(0, 80), reason: "names no level" });
      continue;
    }
    const codes = countriesOf(name);
    if (codes.length === 0) rejected.push({ row: title.slice(0, 80), reason: `${name} is not a country` });
    const date = issuedOn(published, now);
    if (date === undefined) rejected.push({ row: title.slice(0, 80), reason: `has no day: ${published.slice(0, 50)}` });
    else for (const country of codes) rows.push({ country, input: "advisoryLevel", amount: Number(level), date });
  }
  return { rows, rejected };
}

/** Returns the countries in a title: `Israel, the West Bank and Gaza`, `Mainland China, Hong Kong & Macau`. */
function countriesOf(name: string): string[] {
  const whole = countryByName(name);
  if (whole) return [whole.alpha2];
  const named = name.split(/,|\band\b|&/).flatMap((part) => countryByName(part)?.alpha2 ?? []);
  return [...new Set(named)];
}

/** Returns the day of an advisory. An absent or future date counts as today. */
function issuedOn(published: string, now: Date): string | undefined {
  const today = isoDay(now.getTime());
  const day = published === "" ? today : sourceDay(published);
  return day !== undefined && day > today ? today : day;
}

import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import type { Parsed, Rejection, Source } from "../../../../ingest/source.ts";
import { isoDay } from "../../../../reference/calendar.ts";
import { countryByName } from "../../../../reference/countries/countries.ts";
import { libraries } from "../../../../reference/libraries.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { seriesOf } from "../../inputs.ts";
import { type InputRow, observedAt } from "../series.ts";

const written = /(?:\b(\d{1,2})[ -])?\b([A-Z][a-z]+)[ -](20\d\d)\b/gi;
const monthNames = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const longMonths = Array.from({ length: 12 }, (_, month) => monthNames.format(Date.UTC(2000, month)).toLowerCase());

/** Returns the day in a text such as `13 June 2025`. Without a day, as in `june-2025`, it is the last of the month. */
export function publicationDay(text: string): string | undefined {
  for (const [, day, name = "", year] of text.matchAll(written)) {
    const month = longMonths.indexOf(name.toLowerCase());
    if (month < 0) continue;
    const last = new Date(Date.UTC(Number(year), month + 1, 0)).getUTCDate();
    const date = new Date(Date.UTC(Number(year), month, Math.min(Number(day ?? last), last)));
    return isoDay(date);
  }
  return undefined;
}

const name = "fatf";
const site = "https://www.fatf-gafi.org";
const start = `${site}/en/countries/black-and-grey-lists.html`;
/** The site sometimes blocks programs. The archive then has a copy that is at most some weeks old. */
const archive = "web.archive.org";

/** Both lists: text of the link to the list, the value of a listed country, and how many countries it may have. */
const lists = [
  { what: /call for action/i, value: 2, min: 1, max: 11 },
  { what: /increased monitoring/i, value: 1, min: 12, max: 40 },
] as const;

/** The lists of the Financial Action Task Force. A country on the black list has 2, one on the gray list has 1. */
export const fatf: Source<InputRow> = {
  name,
  license: {
    kind: "attribution",
    publisher: "FATF",
    terms: "FATF, terms of fatf-gafi.org: facts of its lists with acknowledgement",
  },
  rows: { atLeast: 13, mayBeEmpty: false },
  fetch: fetchLists,
  parse: parseLists,
  observedAt,
  minutesApart: 23 * 60,
};

const collectedSchema = z.array(z.object({ title: z.string(), address: z.string(), page: z.string() }));
type Collected = z.output<typeof collectedSchema>;

async function fetchLists(upstream: Upstream): Promise<Collected> {
  const links = linksOf(await fetchPage(upstream, start));
  const collected: Collected = [];
  for (const { what } of lists) {
    const newest = links
      .filter(({ title, address }) => what.test(title) || what.test(address.replaceAll("-", " ")))
      .map((link) => ({ ...link, day: publicationDay(`${link.title} ${link.address}`) ?? "" }))
      .sort((a, b) => (a.day === b.day ? 0 : a.day > b.day ? -1 : 1))
      .at(0);
    if (!newest) throw new UpstreamError(`FATF: no link to ${what.source}`);
    const { title, address } = newest;
    collected.push({ title, address, page: await fetchPage(upstream, address) });
  }
  return collected;
}

async function fetchPage(upstream: Upstream, url: string): Promise<string> {
  try {
    return await upstream.text({ url, mediaType: "text/html" });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const day = isoDay(upstream.now).replaceAll("-", "");
    // The archive redirects to its nearest copy, and then to the address that the page had at that time.
    const copy = upstream.text({
      url: `https://${archive}/web/${day}id_/${url}`,
      redirectsTo: archive,
      redirects: 2,
    });
    return copy.catch(() => Promise.reject(error));
  }
}

function linksOf(page: string): { title: string; address: string }[] {
  const $ = libraries.cheerio().load(page);
  return $("a[href]")
    .toArray()
    .flatMap((link) => {
      const href = $(link).attr("href") ?? "";
      const address = URL.canParse(href, start) ? new URL(href, start) : undefined;
      const isOurs = address?.origin === site && address.href !== start && address.hash === "";
      return address && isOurs ? [{ title: $(link).text().replace(/\s+/g, " ").trim(), address: address.href }] : [];
    });
}

/** Parses both lists. A country on both gets the value of the more serious one. */
function parseLists(response: unknown, now: Date): Parsed<InputRow> {
  const collected = collectedSchema.parse(response);
  const rows = new Map<string, InputRow>();
  const rejected: Rejection[] = [];
  for (const [place, { what, value, min, max }] of lists.entries()) {
    const { title = "", address = "", page = "" } = collected[place] ?? {};
    const day = publicationDay(`${title} ${address} ${libraries.cheerio().load(page)("h1").first().text()}`);
    // A list may be published in the current month, whose last day is in the future. The current time is used then.
    const at = Math.min(now.getTime(), Date.parse(day ?? now.toISOString()));
    const period = isoDay(at);
    const named = namesOf(page);
    if (named.length < min || named.length > max)
      throw new UpstreamError(`FATF: ${named.length} countries under ${what.source}, not ${min} to ${max}`);
    for (const one of named) {
      const country = countryByName(one)?.alpha2;
      if (country === undefined) rejected.push({ row: one, reason: "is not a known country" });
      else if (!rows.has(country))
        for (const { series, input } of seriesOf(name)) rows.set(country, { country, input, value, period, series });
    }
  }
  return { rows: [...rows.values()], rejected };
}

const countryPath = /\/en\/countries\/detail\/([^/?#]+)\.html$/;

/** The page's menus are removed, because they link to all members in the same format as the list. */
const menus = "nav, header, footer, li.cmp-list__item";

/** Returns the countries on a list. Countries under the heading for those that have left the list are omitted. */
function namesOf(page: string): string[] {
  const $ = libraries.cheerio().load(page);
  $(menus).remove();
  const on = new Map<string, string>();
  const left = new Set<string>();
  let isOver = false;
  for (const element of $("h1, h2, h3, h4, h5, a[href]").toArray()) {
    const text = $(element).text().replace(/\s+/g, " ").trim();
    const [, slug] = countryPath.exec($(element).attr("href")?.split(/[?#]/)[0] ?? "") ?? [];
    if (element.tagName !== "a") isOver ||= /no longer (subject to|under)/i.test(text);
    else if (slug !== undefined && isOver) left.add(slug);
    else if (slug !== undefined && text !== "") on.set(slug, text);
  }
  return [...on].flatMap(([slug, text]) =>
    left.has(slug) ? [] : [countryByName(text) ? text : slug.replaceAll("-", " ")],
  );
}

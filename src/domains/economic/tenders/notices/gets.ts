import { z } from "zod";
import { type Parsed, type Rejection, rejection, type Source } from "../../../../ingest/source.ts";
import { readRssItems } from "../../../../ingest/xml.ts";
import { libraries } from "../../../../reference/libraries.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { distinct, lines, type Notice, noticeTime, officialLink, plain, text } from "./notice-fields.ts";

/** Some versions of the site ignore the parameter `rss`, and others return HTML without it. */
const address = "https://www.gets.govt.nz/ExternalRSSFeed.htm?rss=1";
/** Times without an offset are in New Zealand's time zone. */
const zone = "Pacific/Auckland";
const hosts = [".gets.govt.nz"];

/** The Government Electronic Tenders Service of New Zealand lists every open notice in one feed. */
export const gets: Source<Notice> = {
  name: "gets",
  license: {
    kind: "non-commercial",
    publisher: "New Zealand GETS",
    terms: "GETS copyright statement, New Zealand Ministry of Business, Innovation and Employment; link to GETS",
  },
  rows: { atLeast: 20, mayBeEmpty: false },
  fetch: (upstream: Upstream) => upstream.text({ url: address }),
  parse: parseFeed,
  covers: "all open items",
  observedAt: ({ publishedAt = "" }) => Date.parse(publishedAt),
};

const xmlOptions = {
  transformTagName: (name: string) => name.toLowerCase(),
  isArray: (name: string) => name === "item" || name === "category",
};

function parseFeed(response: unknown): Parsed<Notice> {
  const rows = new Map<string, Notice>();
  const rejected: Rejection[] = [];
  for (const [place, value] of readRssItems("GETS", z.string().parse(response), xmlOptions).entries()) {
    const read = itemSchema.safeParse(value);
    const notice = read.success ? noticeOf(read.data) : rejection("", read.error).reason;
    if (typeof notice === "string") rejected.push({ row: nameOf(value, place), reason: notice });
    else rows.set(notice.sourceNoticeId, notice);
  }
  return { rows: [...rows.values()], rejected, complete: true };
}

const itemSchema = z.object({
  title: text.pipe(z.string().min(1)),
  link: text,
  description: z.string().catch(""),
  pubdate: noticeTime(zone),
  category: z.array(text).default([]),
  "dc:creator": text,
  "dc:date": noticeTime(zone),
});

const timesSchema = z.object({ "open date": noticeTime(zone), "close date": noticeTime(zone, "end") });

function noticeOf(item: z.output<typeof itemSchema>) {
  const cells = tableCells(item.description);
  const cell = (label: string) => plain(cells.get(label));
  const id = cell("rfx id") || noticeIdIn(item.link);
  if (!id) return "has no RFx ID";
  // The links in the feed contain `//` before the part of the path that names the buyer.
  const officialUrl = officialLink(item.link.replace(/(?<!:)\/{2,}/g, "/"), hosts);
  if (officialUrl === undefined) return "has no page on GETS";
  const times = timesSchema.safeParse({ "open date": cell("open date"), "close date": cell("close date") });
  if (!times.success) return rejection("", times.error).reason;
  const elements = item.category.filter(Boolean);
  const categories = (elements.length > 0 ? elements : lines(cells.get("categories") ?? "")).map(category);
  return {
    source: "gets",
    sourceNoticeId: id,
    officialUrl,
    countryCode: "NZ",
    region: "Oceania",
    title: item.title,
    description: lines(cells.get("overview") ?? "").join("\n"),
    buyer: item["dc:creator"] || cell("organisation"),
    publishedAt: item["dc:date"] || item.pubdate || times.data["open date"],
    deadline: times.data["close date"],
    status: "open",
    categoryCodes: distinct(categories.map(({ code }) => code)),
    sectors: distinct(categories.map(({ words }) => words)),
  } satisfies Notice;
}

/**
 * Returns the cells of the HTML table in a notice's description, by lowercase label. The feed's parser has decoded the
 * HTML once, so its own entities remain. The label of the closing date has an unclosed `<b>`.
 */
function tableCells(html: string): ReadonlyMap<string, string> {
  const $ = libraries
    .cheerio()
    .load(html.replace(/&#(x[\da-f]+|\d+)/gi, withinUnicode), { xml: { xmlMode: false } }, false);
  $("script, style").remove();
  $("br").replaceWith("\n");
  $("p, li, div").append("\n");
  const cells = new Map<string, string>();
  for (const row of $("tr")) {
    const [label = "", value = ""] = $(row)
      .children("td, th")
      .toArray()
      .map((cell) => $(cell).text());
    const name = plain(label)
      .replace(/[\s:]+$/, "")
      .toLowerCase();
    // The first cell with a label counts, because the overview at the end may contain a table with the same labels.
    if (name !== "" && !cells.has(name)) cells.set(name, value);
  }
  return cells;
}

/** Escapes a reference to a character that Unicode does not have. Otherwise the HTML parser would drop its number. */
function withinUnicode(reference: string, number: string): string {
  const code = Number(number.replace(/^x/i, "0x"));
  return code > 0x10_ff_ff ? `&amp;${reference.slice(1)}` : reference;
}

/** Splits `81110000 - Computer services` into a code and a text. Other categories only have a text. */
function category(text: string): { readonly code: string; readonly words: string } {
  const [, code = "", words = text] = /^(\d{2,8})\s*-\s*(.+)$/.exec(text) ?? [];
  return { code, words };
}

function nameOf(value: unknown, place: number): string {
  const { data } = z.object({ link: z.string() }).safeParse(value);
  return noticeIdIn(data?.link ?? "") || `#${place}`;
}

function noticeIdIn(link: string): string {
  return /[?&]id=(\d+)/.exec(link)?.[1] ?? "";
}

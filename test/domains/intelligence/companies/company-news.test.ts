import { create, fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { NewsCorpusSchema, type NewsItemSchema } from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { mentionsOf } from "../../../../src/domains/intelligence/companies/company-name.ts";
import {
  companyNews,
  newsFeedSource,
  newsFeeds,
  readingOf,
} from "../../../../src/domains/intelligence/companies/company-news.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");
const source = newsFeedSource({
  name: "agency",
  url: "https://agency.example/feed.xml",
  license: { kind: "open", publisher: "The Agency", terms: "none" },
});

const rss = (items: string) =>
  `<?xml version="1.0"?>\n<rss version="2.0" xmlns:dc="x"><channel><title>t</title><link>https://a.example/</link>${items}</channel></rss>\n`;
const atom = (entries: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>${entries}</feed>`;
const item = ({
  title = "A title",
  link = "https://a.example/1",
  date = "Tue, 17 Nov 2026 10:00:00 -0500",
  more = "",
}) => `<item><title>${title}</title><link>${link}</link><pubDate>${date}</pubDate>${more}</item>`;

test("an item of RSS becomes plain text with its page and time", () => {
  const description =
    "<description>&lt;p&gt;Terms &amp;amp; &lt;b&gt;fees&lt;/b&gt;&lt;/p&gt;&lt;p&gt;of Acme&lt;/p&gt;</description>";
  expect(source.parse(rss(item({ title: "<![CDATA[Fees & <em>terms</em>]]>", more: description })), now)).toEqual({
    rows: [
      {
        url: "https://a.example/1",
        title: "Fees & terms",
        summary: "Terms & fees of Acme",
        source: "The Agency",
        publishedAtMs: BigInt(Date.UTC(2026, 10, 17, 15)),
      },
    ],
    rejected: [],
  });
});

test("an entry of Atom becomes the same, by its alternate link", () => {
  const entry = `<entry><id>x</id><updated>2026-11-17T10:00:00+01:00</updated>
    <link rel="self" href="https://a.example/self"/><link rel="alternate" type="text/html" href="https://a.example/2"/>
    <title type="html">Terms &amp;amp; fees</title><summary type="html">&lt;p&gt;Of Acme&lt;/p&gt;</summary></entry>`;
  expect(source.parse(atom(entry), now).rows).toEqual([
    {
      ...{ url: "https://a.example/2", title: "Terms & fees", summary: "Of Acme", source: "The Agency" },
      publishedAtMs: BigInt(Date.UTC(2026, 10, 17, 9)),
    },
  ]);
});

test.each([
  ["Tue, 17 Nov 2026 10:00:00 EST", Date.UTC(2026, 10, 17, 15)],
  ["Tue, 17 Nov 26 10:00:00 +0000", Date.UTC(2026, 10, 17, 10)],
  ["Tue, 17 Nov 2026 10:00:00 GMT", Date.UTC(2026, 10, 17, 10)],
  ["Tue, 17 Nov 2026 10:00:00", Date.UTC(2026, 10, 17, 10)],
  ["2026-11-17T10:00:00", Date.UTC(2026, 10, 17, 10)],
  ["2026-11-17", Date.UTC(2026, 10, 17)],
  ["17 Nov 2026", Date.UTC(2026, 10, 17)],
])("the time %s is understood", (date, expected) => {
  expect(source.parse(rss(item({ date })), now).rows[0]?.publishedAtMs).toBe(BigInt(expected));
});

test.each([
  ["no title", item({ title: " " }), /title/],
  ["no page", item({ link: "" }), /page/],
  ["a page that is none", item({ link: "javascript:alert(1)" }), /page/],
  ["no time", item({ date: "soon" }), /time/],
  ["an empty time", item({ date: "" }), /time/],
  ["a time to come", item({ date: "Wed, 18 Nov 2026 14:00:00 GMT" }), /future/],
])("an item with %s is rejected with its reason", (_what, bad, reason) => {
  const { rows, rejected } = source.parse(rss(item({ link: "https://a.example/good" }) + bad), now);
  expect(rows.map(({ url }) => url)).toEqual(["https://a.example/good"]);
  expect(rejected).toEqual([{ row: expect.any(String), reason: expect.stringMatching(reason) }]);
});

test("a feed without items is a quiet one", () => {
  for (const empty of [rss(""), atom(""), "<rss><channel/></rss>", "<feed/>".replace("/>", "></feed>")])
    expect(source.parse(empty, now)).toEqual({ rows: [], rejected: [] });
});

test.each([
  ["nothing", ""],
  ["HTML", "<!DOCTYPE html><html><body>Please enable JavaScript</body></html>"],
  ["half a feed", rss(item({})).slice(0, -20)],
  ["another format", "<rss><items></items></rss>"],
  ["items none of which is good", rss(item({ date: "soon" }))],
  ["no XML", "<rss><channel><item></channel></rss>"],
])("%s instead of a feed throws", (_what, text) => {
  expect(() => source.parse(text, now)).toThrow(UpstreamError);
});

test("entities that grow without end are not followed", () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">]>`;
  const text = rss(item({ title: "&e;&e;&e;&e;&e;" })).replace("<rss", `${bomb}<rss`);
  const max = () => Math.max(...source.parse(text, now).rows.map(({ title = "" }) => title.length));
  let length = 0;
  try {
    length = max();
  } catch (error) {
    expect(error).toBeInstanceOf(UpstreamError);
  }
  expect(length).toBeLessThan(10_000);
});

test("an entity that names a file is not read", () => {
  const text = rss(item({ title: "&file;" })).replace(
    "<rss",
    `<!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/passwd">]><rss`,
  );
  let titles: string[] = [];
  try {
    titles = source.parse(text, now).rows.map(({ title = "" }) => title);
  } catch (error) {
    expect(error).toBeInstanceOf(UpstreamError);
  }
  expect(titles.join()).not.toContain("root:");
});

test.each(newsFeeds)("the sample of $name passes whole, within the days that are kept", async (feed) => {
  const own = newsFeedSource(feed);
  const { rows, rejected } = own.parse(await own.fetch(sampleUpstream(feed.name, () => now)), now);
  expect([rows.length, rejected]).toEqual([sampleIndex(feed.name)?.rows, []]);
  expect(rows.length).toBeGreaterThanOrEqual(12);
  expect(checkRows(companyNews.row, rows).rejected).toEqual([]);
  for (const { publishedAtMs = 0n } of rows) {
    expect(Number(publishedAtMs)).toBeLessThan(now.getTime());
    expect(Number(publishedAtMs)).toBeGreaterThan(now.getTime() - 60 * 86_400_000);
  }
});

test("every feed has a name and a license, and is requested over TLS", () => {
  expect(new Set(newsFeeds.map(({ name }) => name)).size).toBe(newsFeeds.length);
  for (const { url, license } of newsFeeds) {
    expect(url).toMatch(/^https:/);
    expect(["open", "attribution"]).toContain(license.kind);
  }
});

const news = (title: string, at: number): MessageInitShape<typeof NewsItemSchema> => ({
  ...{ url: `https://a.example/${at}`, title, summary: "", source: "The Agency", publishedAtMs: BigInt(at) },
});

test("the five newest items that name the company are returned, and no other", () => {
  const items = [9, 8, 7, 6, 5, 4, 3].map((at) => news(at === 7 ? "Of others" : "The case of Acme was closed", at));
  const corpus = create(NewsCorpusSchema, { items });
  const company = { ...corpus.items[0]!, title: "Acme Corp", ticker: "ACM", cik: "" } as never;
  expect(mentionsOf(company, corpus).map(({ publishedAtMs }) => publishedAtMs)).toEqual([9n, 8n, 6n, 5n, 4n]);
});

test("a corpus is as old as its oldest feed, partial while a feed was not read lately, and unread without any", () => {
  const hoursAgo = (hours: number) => BigInt(now.getTime() - hours * 3_600_000);
  const [first = "", ...others] = newsFeeds.map(({ name }) => name);
  const reading = (hoursOfFirst: number | undefined, hoursOfOthers: number | undefined) => {
    const read = (names: string[], hours: number | undefined) =>
      hours === undefined ? [] : names.map((name) => [name, hoursAgo(hours)] as const);
    return readingOf(
      { readAtMs: Object.fromEntries([...read([first], hoursOfFirst), ...read(others, hoursOfOthers)]) },
      now,
    );
  };
  const at = (hours: number) => new Date(Number(hoursAgo(hours)));
  expect(reading(12, 1)).toEqual({ fetchedAt: at(12), partial: false });
  expect(reading(12.1, 1)).toEqual({ fetchedAt: at(12.1), partial: true });
  expect(reading(undefined, 1)).toEqual({ fetchedAt: at(1), partial: true });
  expect(reading(1, undefined)).toEqual({ fetchedAt: at(1), partial: true });
  expect(reading(12.1, 13)).toBeUndefined();
  expect(reading(undefined, undefined)).toBeUndefined();
  expect(readingOf({ readAtMs: { "a-feed-of-before": hoursAgo(1) } }, now)).toBeUndefined();
});

test("a corpus that was stored before the feeds' times were kept can be read, and counts as unread until the next refresh", () => {
  const stored = fromJson(NewsCorpusSchema, { items: [] });
  expect(readingOf(stored, now)).toBeUndefined();
});

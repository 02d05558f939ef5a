import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { gets } from "../../../../../src/domains/economic/tenders/notices/gets.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL("../../../../../../shared/upstream/gets/rss-synthetic-shape.xml", import.meta.url);
const link = "https://www.gets.govt.nz/ORG/ExternalTenderDetails.htm?id=34000001";

/** Escapes the text of an XML element. */
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const row = (label: string, value: string) => `<tr><td><b>${label} :</b></td><td>${value}</td></tr>`;
const table = (cells: Readonly<Record<string, string>>) =>
  `<table>${Object.entries(cells)
    .map(([label, value]) => row(label, value))
    .join("")}</table>`.replace("<b>Close date :</b>", "<b>Close date :");
const cells = {
  "RFx ID": "34000001",
  Organisation: "Example Harbour Board",
  "Open date": "Friday, 10 July 2026 9:00 AM (Pacific/Auckland UTC+12:00)",
  "Close date": "Monday, 17 August 2026 4:00 PM (Pacific/Auckland UTC+12:00)",
  Categories: "81110000 - Computer services<br/>43230000 - Software",
  Region: "Otago",
  Overview: "Tide gauges<br/>and  berths.",
};
const elements = {
  title: "Harbour data platform",
  link,
  pubDate: "Fri, 10 Jul 2026 00:00:00 GMT",
  guid: link,
  description: escaped(table(cells)),
};
const item = (over: Readonly<Record<string, string>> = {}, more = "") =>
  `<item>${Object.entries({ ...elements, ...over })
    .map(([name, text]) => (text ? `<${name}>${text}</${name}>` : ""))
    .join("")}${more}</item>`;
const feed = (...items: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss xmlns:dc="http://purl.org/dc/elements/1.1/" version="2.0"><channel><title>GETS - Current Tenders</title>${items.join("\n")}</channel></rss>\n`;
const parse = (...items: readonly string[]) => gets.parse(feed(...items), now);
const withCells = (over: Readonly<Record<string, string>>) =>
  parse(item({ description: escaped(table({ ...cells, ...over })) })).rows[0];

test("an item becomes a notice with its page, words, times in UTC and codes", () => {
  expect(parse(item())).toEqual({
    rows: [
      {
        source: "gets",
        sourceNoticeId: "34000001",
        officialUrl: link,
        countryCode: "NZ",
        region: "Oceania",
        title: "Harbour data platform",
        description: "Tide gauges\nand berths.",
        buyer: "Example Harbour Board",
        publishedAt: "2026-07-10T00:00:00.000Z",
        deadline: "2026-08-17T04:00:00.000Z",
        status: "open",
        categoryCodes: ["81110000", "43230000"],
        sectors: ["Computer services", "Software"],
      },
    ],
    rejected: [],
    complete: true,
  });
});

test("buyer, day and categories are those of the item's own elements before those of its table, one or many", () => {
  const own = "<dc:creator>ORG</dc:creator><dc:date>2026-07-09T20:00:00Z</dc:date>";
  const one = "<category>72141100 - Water and sewer construction</category>";
  expect(parse(item({}, own + one)).rows).toMatchObject([
    {
      buyer: "ORG",
      publishedAt: "2026-07-09T20:00:00.000Z",
      categoryCodes: ["72141100"],
      sectors: ["Water and sewer construction"],
    },
  ]);
  expect(parse(item({}, `${one}<category>Fish &amp; chips</category>`)).rows).toMatchObject([
    {
      buyer: "Example Harbour Board",
      categoryCodes: ["72141100"],
      sectors: ["Water and sewer construction", "Fish & chips"],
    },
  ]);
});

test("without an RFx ID the id of the link is the notice's, and two slashes in its path are one", () => {
  const { "RFx ID": _id, ...others } = cells;
  const over = {
    link: "https://www.gets.govt.nz//MSD/ExternalTenderDetails.htm?id=32705858",
    description: escaped(table(others)),
  };
  expect(parse(item(over)).rows).toMatchObject([
    { sourceNoticeId: "32705858", officialUrl: "https://www.gets.govt.nz/MSD/ExternalTenderDetails.htm?id=32705858" },
  ]);
});

test("an item without a table uses its elements, and its opening day if there is no other", () => {
  expect(parse(item({ description: "", pubDate: "" })).rows).toEqual([
    {
      source: "gets",
      sourceNoticeId: "34000001",
      officialUrl: link,
      countryCode: "NZ",
      region: "Oceania",
      title: "Harbour data platform",
      description: "",
      buyer: "",
      publishedAt: "",
      deadline: "",
      status: "open",
      categoryCodes: [],
      sectors: [],
    },
  ]);
  expect(parse(item({ pubDate: "" })).rows[0]?.publishedAt).toBe("2026-07-09T21:00:00.000Z");
});

test("every item counts, and of two with one id the later", () => {
  const many = Array.from({ length: 340 }, (_, i) =>
    item({ title: `Notice ${i}`, description: escaped(table({ ...cells, "RFx ID": String(34_000_000 + (i % 339)) })) }),
  );
  const { rows } = parse(...many);
  expect(rows).toHaveLength(339);
  expect(rows[0]?.title).toBe("Notice 339");
});

test.each(["soon", "Tuesday, 31 November 2026 4:00 PM", "Tuesday, 1 December 2026 13:00 PM"])(
  "an item that closes at %j is rejected with its reason",
  (closing) => {
    const { rows, rejected } = parse(item({ description: escaped(table({ ...cells, "Close date": closing })) }));
    expect(rows).toEqual([]);
    expect(rejected).toMatchObject([{ reason: `close date: cannot read ${JSON.stringify(closing)} as a date` }]);
  },
);

const characters = fc.string({
  unit: fc.constantFrom("a", "é", "&", ";", "#", "l", "t", "g", "amp", "&amp;", "&lt;", "&#233;", "&nbsp;", " "),
});

test("the entities of the feed and those of its tables are decoded once each, so that any text comes through", () => {
  fc.assert(
    fc.property(characters, (noise) => {
      const text = `x${noise}y`.replace(/\s+/g, " ");
      const own = `<dc:creator>${escaped(text)}</dc:creator>`;
      const description = escaped(table({ ...cells, Overview: escaped(text) }));
      expect(parse(item({ title: escaped(text), description }, own)).rows).toMatchObject([
        { title: text, buyer: text, description: text },
      ]);
    }),
  );
});

test.each([
  ["&amp;lt;", "&lt;"],
  ["&amp;amp;lt;", "&amp;lt;"],
  ["&amp;#60;b&amp;#62;", "&#60;b&#62;"],
  ["&#8217; &#x2019; &mdash;", "’ ’ —"],
  ["&#99999999;", "&#99999999;"],
  ["&#x110000;", "&#x110000;"],
  ["&unheard;", "&unheard;"],
  ["fish & chips", "fish & chips"],
])("%s is %s, in a title of the feed as in an overview of its table", (written, read) => {
  const description = escaped(table({ ...cells, Overview: written }));
  expect(parse(item({ title: written, description })).rows).toMatchObject([{ title: read, description: read }]);
});

test("tags of an overview are stripped, whether they are closed or not", () => {
  const Overview = "<p>One <b>two</p><p>three<br>four < 5 m<ul><li>six<li>seven</ul><script>eight</script>";
  expect(withCells({ Overview })?.description?.split("\n")).toEqual(["One two", "three", "four < 5 m", "six", "seven"]);
});

test("a table inside an overview changes none of the cells before it", () => {
  const Overview = `Lots${table({ "RFx ID": "1", "Close date": "Monday, 17 August 2099 4:00 PM" })}`;
  expect(withCells({ Overview })).toMatchObject({ sourceNoticeId: "34000001", deadline: "2026-08-17T04:00:00.000Z" });
});

test("items that cannot be notices are left out and named", () => {
  const { rows, rejected } = parse(
    item(),
    item({ title: " ", link: `${link}2` }),
    item({ link: "https://www.gets.govt.nz/ORG/ExternalTenderDetails.htm", description: "" }),
    item({ link: "https://gets.example/ORG/ExternalTenderDetails.htm?id=7" }),
    item({ link: "http://www.gets.govt.nz/ORG/ExternalTenderDetails.htm?id=8" }),
    item({ link: `${link}9`, description: escaped(table({ ...cells, "Close date": "when ready" })) }),
    "<item></item>",
  );
  expect(rows).toHaveLength(1);
  expect(rejected.map(({ row, reason }) => `${row} ${reason}`)).toEqual([
    expect.stringContaining("340000012 title"),
    "#2 has no RFx ID",
    "7 has no page on GETS",
    "8 has no page on GETS",
    '340000019 close date: cannot read "when ready" as a date',
    expect.stringContaining("#6 "),
  ]);
});

test.each([
  ["HTML", "<!DOCTYPE html><html><body><p>GETS<br></body></html>"],
  ["nothing", ""],
  ["a feed that was cut off between items", feed(item(), item()).split("\n").slice(0, 2).join("\n")],
  ["a feed that was cut off inside a tag", feed(item()).slice(0, -12)],
  ["broken XML", "<rss><channel><item></channel"],
  ["a feed of another kind", '<feed xmlns="http://www.w3.org/2005/Atom"><entry/></feed>'],
  ["a channel of another kind", "<rss><entries/></rss>"],
])("%s is a changed format", (_title, text) => {
  expect(() => gets.parse(text, now)).toThrow(UpstreamError);
});

test("a feed without items has no rows, which the row floor refuses", () => {
  expect(parse().rows).toEqual([]);
  expect(gets.rows).toEqual({ atLeast: 20, mayBeEmpty: false });
});

test("the sample has both forms of dates and both places of categories, all valid but two", async () => {
  const text = await gets.fetch(sampleUpstream("gets", () => now));
  expect(text).toMatch(/PM \(Pacific\/Auckland UTC\+13:00\)/);
  expect(text).toMatch(/\d PM&lt;/);
  const { rows, rejected } = gets.parse(text, now);
  expect(rows).toHaveLength(sampleIndex("gets")!.rows);
  expect(rows.length).toBeGreaterThanOrEqual(90);
  expect(rejected).toHaveLength(2);
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
  const has = (of: (row: (typeof rows)[number]) => unknown) => rows.filter(of).length;
  expect(has(({ deadline }) => deadline === "")).toBe(1);
  expect(has(({ deadline = "" }) => deadline > now.toISOString())).toBeGreaterThanOrEqual(75);
  expect(has(({ publishedAt = "" }) => publishedAt > now.toISOString())).toBe(0);
  expect(has(({ publishedAt }) => publishedAt === "")).toBe(0);
});

test("the sample's deadlines move with the days", async () => {
  const later = new Date(now.getTime() + 70 * 86_400_000);
  const latest = async (at: Date) => {
    const { rows } = gets.parse(await gets.fetch(sampleUpstream("gets", () => at)), at);
    return Math.max(...rows.map(({ deadline = "" }) => Date.parse(deadline) || 0));
  };
  // Ten weeks; a form without an offset may fall on the other side of the clocks' change.
  expect(Math.abs((await latest(later)) - (await latest(now)) - 70 * 86_400_000)).toBeLessThanOrEqual(3_600_000);
});

test.skipIf(!existsSync(captured))("the captured shape passes", () => {
  const { rows, rejected } = gets.parse(readFileSync(captured, "utf8"), now);
  expect(rejected).toEqual([]);
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
  expect(rows).toMatchObject([
    {
      sourceNoticeId: "33799335",
      buyer: "Manawatu District Council",
      publishedAt: "2026-09-01T02:00:00.000Z",
      deadline: "2026-09-25T04:00:00.000Z",
      description: "Design services & drawings",
      categoryCodes: ["81100000"],
    },
    {
      sourceNoticeId: "32705858",
      officialUrl: "https://www.gets.govt.nz/MSD/ExternalTenderDetails.htm?id=32705858",
      deadline: "2026-09-30T23:00:00.000Z",
      description: "Two lines\nhere",
      categoryCodes: ["80000000", "81110000"],
      sectors: ["Management", "Computer services"],
    },
  ]);
});

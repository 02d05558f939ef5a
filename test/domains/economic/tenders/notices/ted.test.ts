import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { ted } from "../../../../../src/domains/economic/tenders/notices/ted.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";
import type { Upstream, UpstreamRequest } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL("../../../../../../shared/upstream/ted/notices-search-2026-09-09.json", import.meta.url);

const quimper = {
  "publication-number": "512345-2026",
  "publication-date": "2026-07-10+02:00",
  "notice-type": "cn-standard",
  "procedure-identifier": "5b1f6a0e-7d43-4c1b-9a52-0f6f5e1c2d3a",
  "title-lot": { fra: ["Logiciel de marégraphes"], eng: ["Cloud software for tide gauges"] },
  "notice-title": { eng: "France – Software – Logiciel de marégraphes" },
  "description-proc": { fra: "Exploitation comprise." },
  "organisation-name-buyer": { fra: ["Port de Quimper"] },
  "organisation-country-buyer": ["FRA", "FRA"],
  "buyer-name": { fra: ["Port"] },
  "buyer-country": ["BEL"],
  "deadline-receipt-tender-date-lot": ["2026-08-18+02:00", "2026-08-20+02:00"],
  "deadline-receipt-tender-time-lot": ["12:00:00+02:00", "14:30:00+02:00"],
  "main-classification-proc": ["72200000"],
  "classification-cpv": ["72200000", "48000000", "72200000"],
  "contract-nature": ["services", "services"],
  "estimated-value-proc": "450000.50",
  "estimated-value-cur-proc": "EUR",
  links: { xml: { MUL: "https://ted.europa.eu/en/notice/512345-2026/xml" } },
};

const page = (notices: readonly unknown[], rest: object = {}) => ({
  notices,
  totalNoticeCount: notices.length,
  iterationNextToken: null,
  timedOut: false,
  ...rest,
});
const parse = (...notices: readonly object[]) =>
  ted.parse([page(notices.map((notice) => ({ ...quimper, ...notice })))], now);
const parsed = (change: object) => parse(change).rows[0];

test("a notice becomes a row with its words in English where it has them, its latest deadline and its codes once each", () => {
  expect(parse({})).toEqual({
    rows: [
      {
        source: "ted",
        sourceNoticeId: "512345-2026",
        officialUrl: "https://ted.europa.eu/en/notice/-/detail/512345-2026",
        countryCode: "FR",
        region: "Europe",
        title: "Cloud software for tide gauges",
        description: "Exploitation comprise.",
        buyer: "Port de Quimper",
        publishedAt: "2026-07-09T22:00:00.000Z",
        deadline: "2026-08-20T12:30:00.000Z",
        status: "open",
        noticeType: "cn-standard",
        procedureId: "5b1f6a0e-7d43-4c1b-9a52-0f6f5e1c2d3a",
        amount: "450000.50",
        currency: "EUR",
        categoryCodes: ["72200000", "48000000"],
        sectors: ["services"],
      },
    ],
    rejected: [],
    available: 1,
    complete: true,
  });
});

test.each([
  ["a text for each language", { "title-lot": { fra: "Logiciel", eng: "Software" } }, "Software"],
  ["lists, the first of them empty", { "title-lot": { eng: ["", " Software "], fra: ["Logiciel"] } }, "Software"],
  ["no English", { "title-lot": { pol: ["Oprogramowanie"], ces: ["Software"] } }, "Oprogramowanie"],
  [
    "an English text that is empty",
    { "title-lot": { eng: [""], ell: [null], pol: ["Oprogramowanie"] } },
    "Oprogramowanie",
  ],
  ["no language at all", { "title-lot": ["Software"] }, "Software"],
  ["no title of lots", { "title-lot": undefined }, "France – Software – Logiciel de marégraphes"],
  ["empty titles of lots", { "title-lot": { fra: [] } }, "France – Software – Logiciel de marégraphes"],
])("a title with %s is read", (_title, change, title) => {
  expect(parsed(change)).toMatchObject({ title });
});

test.each([
  [
    "the other members for the buyer",
    { "organisation-name-buyer": null, "organisation-country-buyer": [] },
    ["Port", "BE"],
  ],
  ["the other country where the first is none", { "organisation-country-buyer": ["ZZZ"] }, ["Port de Quimper", "BE"]],
  [
    "nothing",
    { "organisation-name-buyer": {}, "buyer-name": {}, "buyer-country": null, "organisation-country-buyer": ["ZZZ"] },
    ["", ""],
  ],
])("the buyer and its country are read from %s", (_title, change, [buyer, countryCode]) => {
  expect(parsed(change)).toMatchObject({ buyer, countryCode });
});

const dates = (...days: string[]) => ({ "deadline-receipt-tender-date-lot": days });
const times = (...clocks: string[]) => ({ "deadline-receipt-tender-time-lot": clocks });

test.each([
  [
    "without times: the end of its last day",
    { ...dates("2026-08-20+02:00", "2026-08-18+02:00"), ...times() },
    "2026-08-20T21:59:59.999Z",
  ],
  ["in UTC", { ...dates("2026-08-20Z"), ...times("12:00:00Z") }, "2026-08-20T12:00:00.000Z"],
  [
    "with the offset on the day only",
    { ...dates("2026-08-20+03:00"), ...times("12:00:00") },
    "2026-08-20T09:00:00.000Z",
  ],
  [
    "whose later day has the earlier time",
    { ...dates("2026-08-20+02:00", "2026-08-21+02:00"), ...times("23:00:00+02:00", "00:30:00+02:00") },
    "2026-08-20T22:30:00.000Z",
  ],
  [
    "with fewer times than days, which are ambiguous",
    { ...dates("2026-08-20+02:00", "2026-08-18+02:00"), ...times("09:00:00+02:00") },
    "2026-08-20T21:59:59.999Z",
  ],
  ["at twelve hours of the clock", { ...dates("2026-08-20+02:00"), ...times("12:00 PM") }, "2026-08-20T10:00:00.000Z"],
  ["in one text", { ...dates("2026-12-20T12:00:00+01:00"), ...times() }, "2026-12-20T11:00:00.000Z"],
  ["without hyphens", { ...dates("20261220"), ...times("24:00") }, "2026-12-20T23:00:00.000Z"],
  ["with an offset without a colon", { ...dates("2026-12-20+0100"), ...times() }, "2026-12-20T22:59:59.999Z"],
  ["without an offset: that of Luxembourg", { ...dates("2026-08-20"), ...times() }, "2026-08-20T21:59:59.999Z"],
  ["with a time, both without an offset", { ...dates("2026-08-20"), ...times("12:00:00") }, "2026-08-20T10:00:00.000Z"],
  ["the same in winter", { ...dates("2026-12-20"), ...times() }, "2026-12-20T22:59:59.999Z"],
  ["as one text", { "deadline-receipt-tender-date-lot": "2026-08-20+02:00", ...times() }, "2026-08-20T21:59:59.999Z"],
  ["of no lot, as in a planning notice", { "deadline-receipt-tender-date-lot": null }, ""],
])("a deadline %s", (_title, change, deadline) => {
  expect(parsed(change)).toMatchObject({ deadline });
});

test.each([
  [{ ...dates("2026-08-20+02:00"), ...times("noon") }, '"2026-08-20+02:00 noon"'],
  [{ ...dates("2026-02-30+01:00", "2026-02-20+01:00"), ...times() }, '"2026-02-30+01:00"'],
  [{ ...dates("10/07/2026"), ...times() }, '"10/07/2026"'],
])("a notice with the deadline %j is rejected", (change, written) => {
  const { rows, rejected } = parse(change);
  expect(rows).toEqual([]);
  expect(rejected).toMatchObject([{ reason: `cannot read the deadline ${written}` }]);
});

test.each([
  ["2026-07-10+02:00", "2026-07-09T22:00:00.000Z"],
  ["2026-11-02+01:00", "2026-11-01T23:00:00.000Z"],
  ["2026-07-10Z", "2026-07-10T00:00:00.000Z"],
  [null, ""],
])("published on %s is %j", (publication, publishedAt) => {
  expect(parsed({ "publication-date": publication })).toMatchObject({ publishedAt });
});

const unreported = { "estimated-value-proc": undefined, "estimated-value-cur-proc": undefined };
const estimate = { "estimated-value-glo": ["96000"], "estimated-value-cur-glo": ["sek"] };
const total = { "total-value": 1678875, "total-value-cur": ["CZK"] };

test.each([
  ["the estimate of the procedure first", { ...estimate, ...total }, ["450000.50", "EUR"]],
  ["then that of the notice", { ...unreported, ...estimate, ...total }, ["96000", "SEK"]],
  ["then the total", { ...unreported, ...total }, ["1678875", "CZK"]],
  ["the next if one is 0.00", { ...total, "estimated-value-proc": "0.00" }, ["1678875", "CZK"]],
  ["nothing where all are", { "estimated-value-proc": "0.00" }, ["", ""]],
  ["nothing if all are missing", unreported, ["", ""]],
  ["nothing below zero", { "estimated-value-proc": "-1" }, ["", ""]],
])("the money is %s", (_title, change, [amount, currency]) => {
  expect(parsed(change)).toMatchObject({ amount, currency });
});

test.each([
  ["without a number", { "publication-number": undefined }, "#0", "publication-number"],
  ["with a number of another form", { "publication-number": "../1-2026" }, "#0", "publication-number"],
  ["without any title", { "title-lot": {}, "notice-title": { eng: " " } }, "512345-2026", "title"],
])("a notice %s is left out and named; the answer is complete all the same", (_title, change, row, reason) => {
  const response = parse(change, { "publication-number": "512346-2026" });
  expect(response.rows.map(({ sourceNoticeId }) => sourceNoticeId)).toEqual(["512346-2026"]);
  expect(response.rejected).toEqual([{ row, reason: expect.stringContaining(reason) }]);
  expect(response.complete).toBe(true);
});

test.each([
  ["is larger than what came", [page([quimper], { totalNoticeCount: 2 })]],
  ["is smaller than what came", [page([quimper], { totalNoticeCount: 0 })]],
  ["counts a notice that came twice", [page([quimper, quimper])]],
  ["was searched for too long", [page([quimper], { timedOut: true })]],
])("an answer whose total %s is not complete", (_title, pages) => {
  const response = ted.parse(pages, now);
  expect(response.rows).toHaveLength(1);
  expect(response).not.toHaveProperty("complete");
});

test.each([
  ["no notices", { totalNoticeCount: 0 }],
  ["notices by number", { notices: {}, totalNoticeCount: 0 }],
  ["no total", { notices: [] }],
  ["an error", { message: "Bad query", error: "BAD_REQUEST" }],
  ["nothing", null],
])("a body with %s is a changed format", async (_title, body) => {
  expect(() => ted.parse([body], now)).toThrow(UpstreamError);
  await expect(ted.fetch(responding(() => body).upstream)).rejects.toThrow("TED: ");
});

interface Requested {
  readonly paginationMode: string;
  readonly page?: number;
  readonly iterationNextToken?: string;
}

function responding(pageOf: (requested: Requested, count: number) => unknown) {
  const requested: UpstreamRequest[] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    variable: (name) => name,
    text: () => Promise.reject(new Error("not asked")),
    json: async (request) => {
      requested.push(request);
      return pageOf(request.body as never, requested.length);
    },
  };
  const places = () => requested.map(({ body }) => body?.page ?? body?.iterationNextToken ?? body?.paginationMode);
  return { upstream, requested, places };
}

const many = (start: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...quimper, "publication-number": `${start + i}-2026` }));

test("everything that can still be answered is asked for, newest first, with every member that is read", async () => {
  const { upstream, requested } = responding(() => page([quimper]));
  await ted.fetch(upstream);
  expect(requested).toHaveLength(1);
  const [{ url, body }] = requested as [UpstreamRequest];
  expect(url).toBe("https://api.ted.europa.eu/v3/notices/search");
  expect(body).toMatchObject({
    query: "deadline-receipt-tender-date-lot >= 20261104 SORT BY publication-date DESC",
    page: 1,
    limit: 250,
    scope: "ACTIVE",
    paginationMode: "PAGE_NUMBER",
    onlyLatestVersions: true,
  });
  const { links: _, ...read } = quimper;
  const others = ["estimated-value-glo", "estimated-value-cur-glo", "total-value", "total-value-cur"];
  expect(new Set(body?.fields as string[])).toEqual(new Set([...Object.keys(read), ...others]));
});

test("pages are read by number up to the total", async () => {
  const { upstream, places } = responding(({ page: number = 0 }) =>
    page(many(number * 250, number < 3 ? 250 : 100), { totalNoticeCount: 600 }),
  );
  const response = ted.parse(await ted.fetch(upstream), now);
  expect(places()).toEqual([1, 2, 3]);
  expect(response.rows).toHaveLength(600);
  expect(response.complete).toBe(true);
});

test("a total of whole pages asks for no empty one", async () => {
  const { upstream, places } = responding(() => page(many(1, 250), { totalNoticeCount: 250 }));
  await ted.fetch(upstream);
  expect(places()).toEqual([1]);
});

test("a short page is the last one, whatever the total says", async () => {
  const { upstream, places } = responding(({ page: number = 0 }) =>
    page(many(number * 250, number === 1 ? 250 : 0), { totalNoticeCount: 1_000 }),
  );
  expect(ted.parse(await ted.fetch(upstream), now)).not.toHaveProperty("complete");
  expect(places()).toEqual([1, 2]);
});

test("beyond the 15,000 notices that numbers reach, all are read by token; one that is given after the end is not followed", async () => {
  const { upstream, places } = responding((_asked, count) =>
    // The first answer is that by number; after it come 61 by token.
    page(many(count * 250, count === 62 ? 1 : 250), { totalNoticeCount: 15_001, iterationNextToken: `token-${count}` }),
  );
  const response = ted.parse(await ted.fetch(upstream), now);
  expect(places()).toEqual([1, "ITERATION", ...Array.from({ length: 60 }, (_, i) => `token-${i + 2}`)]);
  expect(response.rows).toHaveLength(15_001);
  expect(response.complete).toBe(true);
});

test("without a next token the reading ends, incomplete", async () => {
  const { upstream, requested } = responding((_asked, count) =>
    page(many(count * 250, 250), { totalNoticeCount: 20_000, iterationNextToken: count < 3 ? "next" : null }),
  );
  expect(ted.parse(await ted.fetch(upstream), now)).not.toHaveProperty("complete");
  expect(requested).toHaveLength(3);
});

test("no more than 121 requests are made and 30,000 notices held, and then the answer is not complete", async () => {
  const { upstream, requested } = responding((_asked, count) =>
    page(many(count * 250, 250), { totalNoticeCount: 90_000, iterationNextToken: "next" }),
  );
  const response = ted.parse(await ted.fetch(upstream), now);
  expect(requested).toHaveLength(121);
  expect(response.rows).toHaveLength(30_000);
  expect(response).not.toHaveProperty("complete");
});

test("what is held of a page reads like the page itself, without its links and further languages", async () => {
  const body = page([quimper, { ...quimper, "publication-number": 7 }, null, "text"], { totalNoticeCount: 4 });
  const held = await ted.fetch(responding(() => body).upstream);
  expect(ted.parse(held, now)).toEqual(ted.parse([body], now));
  expect(JSON.stringify(held)).not.toMatch(/links|"fra"|"Logiciel/);
});

test.skipIf(!existsSync(captured))("a captured answer of two notices gives two rows", () => {
  const { rows, rejected } = ted.parse([JSON.parse(readFileSync(captured, "utf8"))], now);
  expect(rejected).toEqual([]);
  expect(rows).toMatchObject([
    { sourceNoticeId: "621800-2026", countryCode: "FI", deadline: "", publishedAt: "2026-09-08T22:00:00.000Z" },
    {
      sourceNoticeId: "619343-2026",
      countryCode: "CZ",
      deadline: "2026-10-20T21:59:59.999Z",
      amount: "1678875",
      currency: "CZK",
    },
  ]);
  expect(rows[0]?.categoryCodes).toEqual(["09310000", "63712600"]);
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
});

test("the sample yields what it says, complete and valid, in many countries, currencies and languages", async () => {
  const { rows, rejected, complete } = ted.parse(await ted.fetch(sampleUpstream("ted", () => now)), now);
  expect([rows.length, rejected, complete]).toEqual([sampleIndex("ted")?.rows, [], true]);
  expect(rows.length).toBeGreaterThanOrEqual(170);
  const checked = checkRows(TenderNoticeSchema, rows);
  expect(checked.rejected).toEqual([]);
  const distinct = (of: (row: (typeof checked.rows)[number]) => string) =>
    new Set(checked.rows.map(of).filter(Boolean));
  expect(distinct(({ countryCode }) => countryCode).size).toBeGreaterThanOrEqual(22);
  // One procurement has two notices.
  expect(distinct(({ title }) => title).size).toBe(rows.length - 1);
  expect(distinct(({ procedureId }) => procedureId).size).toBe(rows.length - 1);
  for (const currency of ["EUR", "PLN", "SEK", "CZK", "DKK", "HUF", "RON", "NOK"])
    expect(distinct((row) => row.currency)).toContain(currency);
  // Bulgaria has had the euro since 2026.
  expect(distinct((row) => row.currency)).not.toContain("BGN");
  const open = checked.rows.filter(({ deadline }) => deadline > now.toISOString()).length;
  expect(open / rows.length).toBeGreaterThan(0.85);
  expect(open).toBeLessThan(rows.length);
  expect(checked.rows.filter(({ deadline }) => deadline === "").length).toBeGreaterThan(0);
  expect(checked.rows.every(({ publishedAt }) => publishedAt < now.toISOString())).toBe(true);
});

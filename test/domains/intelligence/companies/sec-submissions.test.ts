import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fetchSubmissions, parseSubmissions } from "../../../../src/domains/intelligence/companies/sec-submissions.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { startLoopback } from "../../../upstream/loopback.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/sec/submissions-CIK0001318605-TSLA.json", import.meta.url);

type Row = readonly [number: string, date: string, form: string, items?: string];

const answer = (rows: readonly Row[], over: object = {}) => ({
  cik: "320193",
  name: "Apple Inc.",
  sicDescription: "Electronic Computers",
  website: "",
  addresses: { mailing: null, business: { city: "SAINT-DENIS O'HARE", stateOrCountryDescription: "CA" } },
  filings: {
    recent: {
      accessionNumber: rows.map(([number]) => number),
      filingDate: rows.map(([, date]) => date),
      form: rows.map(([, , form]) => form),
      items: rows.map(([, , , items = ""]) => items),
    },
    files: [],
  },
  ...over,
});

const filed = (form: string, items = ""): Row => ["0000320193-26-000001", "2026-07-31", form, items];

test("a company has its place, and an 8-K its items in words and its index page", () => {
  expect(parseSubmissions(answer([filed("8-K", "2.02, 9.01,7.77")]))).toEqual({
    name: "Apple Inc.",
    description: "Electronic Computers",
    location: "Saint-Denis O'Hare, CA",
    website: "",
    filings: {
      totalFilings: 1,
      recentFilings: [
        {
          form: "8-K",
          fileDate: "2026-07-31",
          description: "Results of operations and financial condition; Financial statements and exhibits; Item 7.77",
          url: "https://www.sec.gov/Archives/edgar/data/320193/000032019326000001/0000320193-26-000001-index.htm",
          items: ["2.02", "9.01", "7.77"],
        },
      ],
    },
  });
});

test("forms of periodic and current reports are shown with their amendments, all others only counted", () => {
  const shown = ["10-K", "10-Q", "8-K", "20-F", "6-K", "S-1", "DEF 14A", "40-F", "10-K/A", "S-1/A"];
  const others = ["4", "144", "SC 13G/A", "10-K405", "NT 10-K", "8-K12B", "S-8", "10-KT"];
  const { filings } = parseSubmissions(answer([...shown, ...others].map((form) => filed(form, "x"))));
  expect(filings.totalFilings).toBe(shown.length + others.length);
  expect(filings.recentFilings?.map(({ form }) => form)).toEqual(shown);
  expect(filings.recentFilings?.filter(({ description }) => description !== "").map(({ form }) => form)).toEqual([
    "8-K",
  ]);
});

test("the fifteen newest are shown, newest first, and of one day in EDGAR's order", () => {
  const rows = Array.from({ length: 20 }, (_, i): Row => {
    const number = String(i).padStart(6, "0");
    return [`0000320193-26-${number}`, `2026-0${1 + Math.floor(i / 4)}-10`, "6-K"];
  });
  const dates = parseSubmissions(answer(rows)).filings.recentFilings?.map(({ url = "" }) => url.slice(-16, -10));
  expect(dates).toEqual("16 17 18 19 12 13 14 15 08 09 10 11 04 05 06".split(" ").map((n) => `0000${n}`));
});

test("a company without filings has measured none", () => {
  expect(parseSubmissions(answer([])).filings).toEqual({ totalFilings: 0, recentFilings: [] });
});

test("a filing without a number or day is left out, and if none is valid, the format has changed", () => {
  const { filings } = parseSubmissions(
    answer([["?", "2026-07-31", "8-K"], filed("10-Q"), ["0000320193-26-000009", "", "8-K"]]),
  );
  expect(filings.recentFilings?.map(({ form }) => form)).toEqual(["10-Q"]);
  expect(() => parseSubmissions(answer([["?", "2026-07-31", "8-K"]]))).toThrow(UpstreamError);
});

test.each([
  ["HTML", "<html>"],
  ["nothing", null],
  ["no filings", { ...answer([]), filings: {} }],
  ["no key", { ...answer([]), cik: "abc" }],
  [
    "columns of different lengths",
    answer([], { filings: { recent: { ...answer([filed("8-K")]).filings.recent, form: [] } } }),
  ],
])("%s instead of a company throws", (_what, body) => {
  expect(() => parseSubmissions(body)).toThrow(UpstreamError);
});

test("a filer that EDGAR does not have is none; another refusal is a failure", async () => {
  for (const [status, expected] of [
    [404, undefined],
    [403, 403],
  ] as const) {
    await using outside = await startLoopback([(_request, response) => response.writeHead(status).end()], {
      variable: () => "ops@example.org",
    });
    const requested = fetchSubmissions(outside.upstream, "0000320193", { tries: 1 });
    if (expected === undefined) expect(await requested).toBeUndefined();
    else await expect(requested).rejects.toMatchObject({ status: expected });
    expect(outside.requests[0]?.headers["user-agent"]).toContain("(ops@example.org)");
  }
});

test("the sample has filings of every company of its register, with dates that are not ahead and no pages at the Commission", async () => {
  const ciks = sampleIndex("sec")?.responses.flatMap(({ url = "" }) => /CIK(\d{10})/.exec(url)?.[1] ?? []) ?? [];
  expect(ciks.length).toBeGreaterThanOrEqual(40);
  for (const cik of ciks) {
    const company = await fetchSubmissions(
      sampleUpstream("sec", () => now),
      cik,
      {},
    );
    expect(company?.filings.recentFilings?.length).toBeGreaterThan(4);
    for (const { fileDate = "", url } of company?.filings.recentFilings ?? []) {
      expect(fileDate <= "2026-11-18").toBe(true);
      expect(url).toMatch(/^https:\/\/example\.org\//);
    }
  }
});

test.skipIf(!existsSync(captured))("the captured company passes: none of its 1,001 filings is lost", () => {
  const { name, location, filings } = parseSubmissions(JSON.parse(readFileSync(captured, "utf8")));
  expect([name, location, filings.totalFilings]).toEqual(["Tesla, Inc.", "Palo Alto, CA", 1001]);
  expect(filings.recentFilings).toHaveLength(15);
  expect(filings.recentFilings?.[0]).toEqual({
    form: "10-Q",
    fileDate: "2022-10-24",
    description: "",
    url: "https://www.sec.gov/Archives/edgar/data/1318605/000095017022019867/0000950170-22-019867-index.htm",
    items: [],
  });
  const current = filings.recentFilings?.filter(({ form }) => form === "8-K") ?? [];
  expect(current.length).toBeGreaterThan(0);
  for (const { items = [], description } of current) {
    expect(items.length).toBeGreaterThan(0);
    expect(description).not.toContain("Item ");
  }
});

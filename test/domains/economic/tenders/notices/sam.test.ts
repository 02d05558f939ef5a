import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { sam } from "../../../../../src/domains/economic/tenders/notices/sam.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";
import type { UpstreamRequest } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T23:30:00Z");
const captured = new URL("../../../../../../shared/upstream/sam-gov/", import.meta.url);

const buoys = {
  noticeId: "0f3c0f3c0f3c0f3c0f3c0f3c0f3c0f3c",
  title: "Buoy telemetry software",
  solicitationNumber: "N00-26-R-0007",
  fullParentPathName: "DEPT OF EXAMPLE.OFFICE A",
  postedDate: "2026-07-10",
  type: "Solicitation",
  baseType: "Solicitation",
  typeOfSetAside: null,
  responseDeadLine: "2026-08-02T16:00:00-04:00",
  naicsCode: "541512",
  naicsCodes: ["541512", "334511"],
  classificationCode: "7A20",
  active: "Yes",
  award: null,
  description: "https://api.sam.gov/prod/opportunities/v1/noticedesc?noticeid=0f3c0f3c0f3c0f3c0f3c0f3c0f3c0f3c",
  uiLink: "https://sam.gov/workspace/contract/opp/0f3c0f3c0f3c0f3c0f3c0f3c0f3c0f3c/view",
  links: [{ rel: "self", href: "https://api.sam.gov/prod/opportunities/v2/search" }],
  resourceLinks: null,
};

const page = (...rows: readonly unknown[]) => ({
  totalRecords: rows.length,
  limit: 1_000,
  offset: 0,
  opportunitiesData: rows,
});
const parse = (...rows: readonly object[]) =>
  sam.parse({ pages: [page(...rows.map((row) => ({ ...buoys, ...row })))], missing: [] }, now);
const parsed = (change: object) => parse(change).rows[0];

test("an opportunity becomes a row, without the address that stands for its description", () => {
  expect(parse({})).toEqual({
    rows: [
      {
        source: "sam",
        sourceNoticeId: "0f3c0f3c0f3c0f3c0f3c0f3c0f3c0f3c",
        officialUrl: "https://sam.gov/workspace/contract/opp/0f3c0f3c0f3c0f3c0f3c0f3c0f3c0f3c/view",
        countryCode: "US",
        region: "North America",
        title: "Buoy telemetry software",
        description: "",
        buyer: "DEPT OF EXAMPLE.OFFICE A",
        publishedAt: "2026-07-10T04:00:00.000Z",
        updatedAt: "",
        deadline: "2026-08-02T20:00:00.000Z",
        status: "open",
        noticeType: "Solicitation",
        procedureId: "N00-26-R-0007",
        categoryCodes: ["541512", "334511"],
        sectors: ["7A20"],
      },
    ],
    rejected: [],
    missing: [],
    available: 1,
    complete: true,
  });
});

test.each([
  ["an offset", "2026-08-02T16:00:00-04:00", "2026-08-02T20:00:00.000Z"],
  ["none: Washington's clock", "2026-12-02T16:00:00", "2026-12-02T21:00:00.000Z"],
  ["only a day: its end in Washington", "2026-08-02", "2026-08-03T03:59:59.999Z"],
  ["an American date: its end in Washington", "08/02/2026", "2026-08-03T03:59:59.999Z"],
  ["an offset without a colon", "2026-08-02T10:00:00-0600", "2026-08-02T16:00:00.000Z"],
  ["an offset of hours", "2026-08-02T10:00:00-06", "2026-08-02T16:00:00.000Z"],
  ["the end of a day as 24:00", "2026-08-02T24:00:00-06:00", "2026-08-03T06:00:00.000Z"],
  ["a blank before the clock", "2026-08-02 10:00:00", "2026-08-02T14:00:00.000Z"],
  ["words and a named zone", "Dec 20, 2026 10:00 am EST", "2026-12-20T15:00:00.000Z"],
  ["twelve hours and no zone", "December 20, 2026 12:30 AM", "2026-12-20T05:30:00.000Z"],
  ["a day and an offset", "20261220+0100", "2026-12-20T22:59:59.999Z"],
  ["nothing: kept without a deadline", null, ""],
])("a deadline with %s", (_title, responseDeadLine, deadline) => {
  expect(parsed({ responseDeadLine })).toMatchObject({ deadline });
});

test.each(["soon", "2026-02-30", "2026-08-02T25:00:00Z", "20/12/2026", "2026-08-02 10:00 XYZ"])(
  "a notice whose deadline is %j is rejected with its reason",
  (responseDeadLine) => {
    const { rows, rejected } = parse({ responseDeadLine });
    expect(rows).toEqual([]);
    expect(rejected).toEqual([
      { row: "#0", reason: `responseDeadLine: cannot read ${JSON.stringify(responseDeadLine)} as a date` },
    ]);
  },
);

test.each([
  [{ type: "Award Notice" }, "awarded"],
  [{ type: "Award Notice", active: "No" }, "awarded"],
  [{ type: "Cancelled Solicitation" }, "cancelled"],
  [{ type: "Canceled" }, "cancelled"],
  [{ active: "No" }, "closed"],
  [{ active: null }, "open"],
])("%j has the status %s", (change, status) => {
  expect(parsed(change)).toMatchObject({ status });
});

test.each([
  [{ noticeId: null }, { sourceNoticeId: "N00-26-R-0007" }],
  [{ uiLink: null }, { officialUrl: "https://sam.gov/opp/0f3c0f3c0f3c0f3c0f3c0f3c0f3c0f3c/view" }],
  [{ uiLink: null, noticeId: "a/../b" }, { officialUrl: "https://sam.gov/opp/a%2F..%2Fb/view" }],
  [{ fullParentPathName: null, office: "Office B" }, { buyer: "Office B" }],
  [{ postedDate: "2026-07-10 14:35:08-05" }, { publishedAt: "2026-07-10T04:00:00.000Z" }],
  [{ postedDate: "07/10/2026" }, { publishedAt: "2026-07-10T04:00:00.000Z" }],
  [{ modifiedDate: "2026-07-11" }, { updatedAt: "2026-07-11T04:00:00.000Z" }],
  [{ modifiedDate: "2026-07-11T10:00:00-04:00" }, { updatedAt: "2026-07-11T14:00:00.000Z" }],
  [
    { naicsCode: null, naicsCodes: null, classificationCode: "" },
    { categoryCodes: [], sectors: [] },
  ],
])("a row with %j has %j", (change, row) => {
  expect(parsed(change)).toMatchObject(row);
});

test.each([
  ["without any id", { noticeId: "", solicitationNumber: null }, "#0", "no id"],
  ["without a title", { title: " " }, "#0", "title"],
  ["with a link elsewhere", { uiLink: "https://sam.gov.example/opp/1" }, buoys.noticeId, "uiLink"],
  ["with a link as somebody", { uiLink: "https://a@sam.gov/opp/1" }, buoys.noticeId, "uiLink"],
  ["with a list for its codes that is none", { naicsCodes: 7 }, "#0", "naicsCodes"],
])("a row %s is left out and named", (_title, change, row, reason) => {
  const { rows, rejected } = parse(change, { noticeId: "second" });
  expect(rows.map(({ sourceNoticeId }) => sourceNoticeId)).toEqual(["second"]);
  expect(rejected).toEqual([{ row, reason: expect.stringContaining(reason) }]);
});

test("of two rows with one id the later stays", () => {
  expect(parse({ title: "First" }, { title: "Second" }).rows).toMatchObject([{ title: "Second" }]);
});

test.each([
  ["no rows", { totalRecords: 0 }],
  ["rows by id", { totalRecords: 0, opportunitiesData: {} }],
  ["no total", { opportunitiesData: [] }],
  ["an error", { error: { code: "API_KEY_INVALID", message: "An invalid api_key was supplied" } }],
  ["the quota's end", { code: "900804", message: "Message throttled out" }],
])("a body with %s is a changed format", (_title, body) => {
  expect(() => sam.parse({ pages: [body], missing: [] }, now)).toThrow(UpstreamError);
});

test("a short list takes one call, sent once, of the last fourteen days", async () => {
  const requested: UpstreamRequest[] = [];
  const response = await sam.fetch({
    origin: "live",
    now,
    variable: (name, fallback) => fallback ?? `${name} value`,
    text: () => Promise.reject(new Error("not asked")),
    json: async (request) => {
      requested.push(request);
      return page(buoys);
    },
  });
  expect(requested).toHaveLength(1);
  const { origin, pathname, searchParams } = new URL(requested[0]!.url);
  expect(origin + pathname).toBe("https://api.sam.gov/opportunities/v2/search");
  expect(Object.fromEntries(searchParams)).toEqual({
    api_key: "SAM_API_KEY value",
    postedFrom: "10/21/2026",
    postedTo: "11/04/2026",
    rdlfrom: "11/04/2026",
    ptype: "o,k,p,r",
    limit: "1000",
    offset: "0",
  });
  expect(requested[0]?.tries).toBe(1);
  expect(JSON.stringify(response)).not.toContain("SAM_API_KEY value");
});

/** A list of `count` notices, newest first. `offset` counts pages, or rows. */
function listing(
  total: number,
  {
    counts = "pages",
    calls = "10",
    fails = () => false,
  }: Partial<Record<"counts" | "calls", string>> & {
    readonly fails?: (call: number) => boolean;
  } = {},
) {
  const offsets: number[] = [];
  const upstreamAt = (at: Date) => ({
    ...sampleUpstream("none", () => at),
    variable: (name: string, fallback?: string) => (name === "SAM_DAILY_CALLS" ? calls : (fallback ?? name)),
    json: async ({ url }: UpstreamRequest) => {
      const offset = Number(new URL(url).searchParams.get("offset"));
      offsets.push(offset);
      if (fails(offsets.length)) throw new UpstreamError("api.sam.gov answered 429", { status: 429 });
      const from = counts === "pages" ? offset * 1_000 : offset;
      const length = Math.max(0, Math.min(1_000, total - from));
      const rows = Array.from({ length }, (_, place) => ({ ...buoys, noticeId: `n${from + place}` }));
      return { ...page(...rows), totalRecords: total };
    },
  });
  const read = async (at: Date) => sam.parse(await sam.fetch(upstreamAt(at)), at);
  return { offsets, read };
}

const runs = (count: number) =>
  Array.from({ length: count }, (_, run) => new Date(now.getTime() + run * sam.minutesApart! * 60_000));

test("ten calls a day allow two per run, the newest page and another in turn, until the whole list was read", async () => {
  const { offsets, read } = listing(4_300);
  const held = new Set<string>();
  for (const at of runs(4)) {
    const { rows, available, complete } = await read(at);
    expect([rows.length, available, complete]).toEqual([expect.any(Number), 4_300, undefined]);
    for (const { sourceNoticeId = "" } of rows) held.add(sourceNoticeId);
  }
  expect(held.size).toBe(4_300);
  expect(offsets.filter((offset) => offset === 0)).toHaveLength(4);
  expect(offsets).toHaveLength(8);
  expect(offsets.length).toBeLessThanOrEqual(10);
});

test("with a thousand calls a day every page is read, newest first, and the response is complete", async () => {
  const { offsets, read } = listing(4_810, { calls: "1000" });
  const { rows, complete } = await read(now);
  expect([rows.length, complete]).toEqual([4_810, true]);
  expect(offsets).toEqual([0, 1, 2, 3, 4]);
});

test("where the offset counts rows and not pages, that is noticed", async () => {
  const { offsets, read } = listing(3_500, { counts: "rows", calls: "1000" });
  expect((await read(now)).rows).toHaveLength(3_500);
  expect(offsets).toEqual([0, 1, 1_000, 2_000, 3_000]);
});

test("when the allowance ends between pages, what was read is kept and the page is missing; before the first that fails", async () => {
  const { rows, missing } = await listing(9_000, { calls: "1000", fails: (call) => call === 3 }).read(now);
  expect(rows).toHaveLength(2_000);
  expect(missing).toEqual([{ part: "page 3", reason: "api.sam.gov answered 429", status: 429 }]);
  await expect(listing(9_000, { fails: () => true }).read(now)).rejects.toMatchObject({ status: 429 });
});

test.skipIf(!existsSync(captured))("captured answers give all of their rows", () => {
  const read = (file: string) =>
    sam.parse({ pages: [JSON.parse(readFileSync(new URL(file, captured), "utf8"))], missing: [] }, now);
  const responses = [read("opportunities-search-2026-09-12.json"), read("gsa-doc-example-award.json")];
  expect(responses.map(({ rows, rejected }) => [rows.length, rejected])).toEqual([
    [5, []],
    [1, []],
  ]);
  const rows = responses.flatMap((response) => response.rows);
  expect(rows.map(({ deadline }) => deadline)).toEqual([
    "2026-10-27T04:00:00.000Z",
    "2026-09-16T18:00:00.000Z",
    "2026-09-14T21:00:00.000Z",
    "2026-07-28T14:00:00.000Z",
    "2026-10-27T04:00:00.000Z",
    "",
  ]);
  expect(rows.at(-1)).toMatchObject({ status: "awarded", publishedAt: "2018-05-04T04:00:00.000Z" });
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
});

test("the sample yields valid notices: open, awarded, closed, and undated", async () => {
  const { rows, rejected } = sam.parse(await sam.fetch(sampleUpstream("sam", () => now)), now);
  expect([rows.length, rejected]).toEqual([sampleIndex("sam")?.rows, []]);
  expect(rows.length).toBeGreaterThanOrEqual(110);
  const checked = checkRows(TenderNoticeSchema, rows);
  expect(checked.rejected).toEqual([]);
  expect(new Set(checked.rows.map(({ status }) => status))).toEqual(new Set(["open", "awarded", "closed"]));
  // A presolicitation and its solicitation have one title.
  expect(new Set(checked.rows.map(({ title, noticeType }) => `${noticeType} ${title}`)).size).toBe(rows.length);
  const open = checked.rows.filter(({ deadline }) => deadline > now.toISOString()).length;
  expect(open / rows.length).toBeGreaterThan(0.85);
  expect(checked.rows.filter(({ deadline, status }) => deadline === "" && status === "open").length).toBeGreaterThan(0);
  expect(checked.rows.every(({ publishedAt }) => publishedAt < now.toISOString())).toBe(true);
});

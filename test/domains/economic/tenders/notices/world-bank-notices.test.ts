import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { worldBankNotices } from "../../../../../src/domains/economic/tenders/notices/world-bank-notices.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL(
  "../../../../../../shared/upstream/worldbank-procnotices/procnotices-2026-09-11.json",
  import.meta.url,
);

const lakes = {
  id: "OP00400001",
  notice_type: "Invitation for Bids",
  notice_status: "Published",
  noticedate: "05-Jul-2026",
  submission_deadline_date: "2026-08-24T00:00:00Z",
  submission_deadline_time: "10:00",
  submission_date: "2026-07-05T00:00:00Z",
  project_ctry_name: "Kenya",
  project_ctry_code: "KE",
  project_name: "Digital Lakes",
  project_id: "P171233",
  bid_reference_no: "KE-LAKES-1",
  noticetitle: "Supply of servers\nLot 1",
  bid_description: "Supply of servers for lake stations",
  agency_name: "Lakes Agency",
  bid_estimate_amount: "26000",
  bid_currency_code: "USD",
  procurement_method_code: "RFB",
  unspsc_classification: [{ proc_voc_id: "43211501" }, { proc_voc_id: "43211501" }, { seg_id: "43000000" }],
  sector: [{ sector_code: "CT", sector_description: "ICT" }, { sector_description: "Water" }],
};

const page = (rows: readonly unknown[] | object, rest: object = {}) => ({
  rows: "100",
  os: "0",
  total: String(Object.keys(rows).length),
  procnotices: rows,
  ...rest,
});
const parse = (...rows: readonly object[]) =>
  worldBankNotices.parse([page(rows.map((row) => ({ ...lakes, ...row })))], now);
const parsed = (change: object) => parse(change).rows[0];

test("a notice becomes a row", () => {
  expect(parse({})).toEqual({
    rows: [
      {
        source: "world-bank",
        sourceNoticeId: "OP00400001",
        officialUrl: "https://projects.worldbank.org/en/projects-operations/procurement-detail/OP00400001",
        countryCode: "KE",
        region: "Multilateral",
        title: "Supply of servers Lot 1",
        description: "Supply of servers for lake stations",
        buyer: "Lakes Agency",
        publishedAt: "2026-07-05T00:00:00.000Z",
        deadline: "2026-08-24T10:00:00.000Z",
        status: "published",
        noticeType: "Invitation for Bids",
        procedureId: "P171233 KE-LAKES-1",
        amount: "26000",
        currency: "USD",
        categoryCodes: ["RFB", "43211501"],
        sectors: ["CT", "Water"],
      },
    ],
    rejected: [],
    available: 1,
    complete: true,
  });
});

test("a list and an object by id, a total as text and as a number, are the same", () => {
  const { id, ...rest } = lakes;
  const whole = parse({});
  expect(worldBankNotices.parse([page({ [id]: lakes })], now)).toEqual(whole);
  expect(worldBankNotices.parse([page({ [id]: rest })], now)).toEqual(whole);
  expect(worldBankNotices.parse([page([lakes], { total: 1 })], now)).toEqual(whole);
});

test.each([
  ["at its time", {}, "2026-08-24T10:00:00.000Z"],
  ["at its time with seconds", { submission_deadline_time: "16:30:15" }, "2026-08-24T16:30:15.000Z"],
  ["without a time: the end of its day", { submission_deadline_time: null }, "2026-08-24T23:59:59.999Z"],
  ["at midnight, which does not count as a time", { submission_deadline_time: "00:00" }, "2026-08-24T23:59:59.999Z"],
  ["at twelve hours of the clock", { submission_deadline_time: "3:00 PM" }, "2026-08-24T15:00:00.000Z"],
  ["at noon", { submission_deadline_time: "12:00 PM" }, "2026-08-24T12:00:00.000Z"],
  ["on a plain day", { submission_deadline_date: "2026-08-24" }, "2026-08-24T10:00:00.000Z"],
  ["with the name of its month", { submission_deadline_date: "24-Aug-2026" }, "2026-08-24T10:00:00.000Z"],
  ["with its month in capitals", { submission_deadline_date: "24-AUG-2026" }, "2026-08-24T10:00:00.000Z"],
  ["in words", { submission_deadline_date: "Aug 24, 2026" }, "2026-08-24T10:00:00.000Z"],
  ["in numbers that can be read in one way", { submission_deadline_date: "08/24/2026" }, "2026-08-24T10:00:00.000Z"],
  ["that is missing, because the notice's own day does not count", { submission_deadline_date: null }, ""],
])("a deadline %s", (_title, change, deadline) => {
  expect(parsed(change)).toMatchObject({ deadline });
});

test.each([
  { submission_deadline_time: "25:00" },
  { submission_deadline_time: "noon" },
  { submission_deadline_date: "31-Feb-2026" },
  { submission_deadline_date: "08/09/2026" },
])("a notice with %j is rejected with its deadline", (change) => {
  const { rows, rejected } = parse(change);
  expect(rows).toEqual([]);
  expect(rejected).toMatchObject([{ row: "OP00400001", reason: expect.stringContaining("cannot read the deadline") }]);
});

test.each([
  [{ publication_date: "2026-07-04T00:00:00Z" }, { publishedAt: "2026-07-04T00:00:00.000Z" }],
  [{ noticedate: null }, { publishedAt: "" }],
  [{ noticetitle: null }, { title: "Supply of servers for lake stations", description: "Digital Lakes" }],
  [
    { noticetitle: "", bid_description: " " },
    { title: "Digital Lakes", description: "" },
  ],
  [{ noticetitle: "Digital Lakes", bid_description: "Digital Lakes" }, { description: "" }],
  [{ borrower: "Republic of Kenya" }, { buyer: "Republic of Kenya" }],
  [{ implementing_agency: "Ministry" }, { buyer: "Ministry" }],
  [{ agency_name: null, contact_organization: "Project Office" }, { buyer: "Project Office" }],
  [{ agency_name: null }, { buyer: "" }],
  [{ notice_status: null }, { status: "open" }],
  [{ notice_status: "Cancelled" }, { status: "cancelled" }],
  [{ bid_estimate_amount: 26000.5 }, { amount: "26000.5", currency: "USD" }],
  [{ bid_estimate_amount: "0" }, { amount: "", currency: "" }],
  [{ bid_estimate_amount: null }, { amount: "", currency: "" }],
  [{ bid_currency_code: null }, { amount: "26000", currency: "" }],
  [{ procurement_category: "Goods", unspsc_classification: null }, { categoryCodes: ["Goods"] }],
  [{ sector: { sector_code: "CT" } }, { sectors: ["CT"] }],
  [{ sector: "ICT" }, { sectors: [] }],
  [{ sector: null }, { sectors: [] }],
  [{ url: "https://www.worldbank.org/n/1" }, { officialUrl: "https://www.worldbank.org/n/1" }],
  [{ id: "a/b" }, { officialUrl: expect.stringMatching(/procurement-detail\/a%2Fb$/) }],
])("a notice with %j has %j", (change, row) => {
  expect(parsed(change)).toMatchObject(row);
});

test.each([
  ["by code", { project_ctry_code: "ke", project_ctry_name: "Tanzania" }, "KE"],
  [
    "by name where the code is the bank's own",
    { project_ctry_code: "RY", project_ctry_name: "Yemen, Republic of" },
    "YE",
  ],
  ["by name where there is no code", { project_ctry_code: null, project_ctry_name: "Kyrgyz Republic" }, "KG"],
  ["nowhere for a region", { project_ctry_code: "3W", project_ctry_name: "Western Africa" }, ""],
])("the country is found %s", (_title, change, countryCode) => {
  expect(parsed(change)).toMatchObject({ countryCode });
});

test.each([
  ["without an id", { id: null }, "#0", "id"],
  ["without any title", { noticetitle: "", bid_description: "", project_name: "" }, "OP00400001", "title"],
  ["with a link elsewhere", { url: "https://worldbank.org.example/1" }, "OP00400001", "url"],
  ["with a link without TLS", { url: "http://www.worldbank.org/1" }, "OP00400001", "url"],
])("a notice %s is left out and named; the answer is complete all the same", (_title, change, row, reason) => {
  const response = parse(change, { id: "OP00400002" });
  expect(response.rows.map(({ sourceNoticeId }) => sourceNoticeId)).toEqual(["OP00400002"]);
  expect(response.rejected).toEqual([{ row, reason: expect.stringContaining(reason) }]);
  expect(response.complete).toBe(true);
});

test("a member by id that isn't a notice is left out, and not the whole page", () => {
  const { rows, rejected } = worldBankNotices.parse([page({ OP1: lakes, OP2: "text" })], now);
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([{ row: "OP2", reason: "has no title" }]);
});

test.each([
  ["is larger than what came", page([lakes], { total: "2" })],
  ["counts a notice that came twice", page([lakes, lakes])],
])("an answer whose total %s is not complete", (_title, body) => {
  const response = worldBankNotices.parse([body], now);
  expect(response.rows).toHaveLength(1);
  expect(response).not.toHaveProperty("complete");
});

test.each([
  ["no notices", { total: "0" }],
  ["notices as text", { total: "0", procnotices: "none" }],
  ["no total", { procnotices: [] }],
  ["a total in words", { total: "many", procnotices: [] }],
  ["a total below zero", { total: -1, procnotices: [] }],
])("a body with %s is a changed format", async (_title, body) => {
  expect(() => worldBankNotices.parse([body], now)).toThrow(UpstreamError);
  await expect(worldBankNotices.fetch(responding(() => body).upstream)).rejects.toThrow("World Bank: ");
});

function responding(pageOf: (offset: number) => unknown) {
  const requested: URLSearchParams[] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    variable: (name) => name,
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ url }) => {
      const { searchParams } = new URL(url);
      requested.push(searchParams);
      return pageOf(Number(searchParams.get("os")));
    },
  };
  return { upstream, requested, offsets: () => requested.map((query) => query.get("os")) };
}

const many = (start: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...lakes, id: `OP${start + i}` }));

test("what can still be answered is asked for, without the notices' HTML, and with every member that is read", async () => {
  const { upstream, requested } = responding(() => page([lakes]));
  await worldBankNotices.fetch(upstream);
  const { fl = "", ...query } = Object.fromEntries(requested[0]!);
  expect(query).toEqual({
    format: "json",
    rows: "100",
    os: "0",
    srt: "submission_deadline_date",
    order: "asc",
    apilang: "en",
    srce: "both",
    notice_type_exact: "Invitation for Bids^Invitation for Prequalification^Request for Expression of Interest",
    deadline_strdate: "2026-11-04",
  });
  const fields = fl.split(",");
  const { submission_date: _, ...read } = lakes;
  expect(fields).toEqual(expect.arrayContaining(Object.keys(read)));
  expect(fields).not.toContain("notice_text");
});

test("pages are read by offset up to the total, in whichever form each comes", async () => {
  const { upstream, offsets } = responding((offset) =>
    offset === 0
      ? page(Object.fromEntries(many(0, 100).map((row) => [row.id, row])), { total: "250" })
      : page(many(offset, offset === 200 ? 50 : 100), { total: 250 }),
  );
  const response = worldBankNotices.parse(await worldBankNotices.fetch(upstream), now);
  expect(offsets()).toEqual(["0", "100", "200"]);
  expect(response.rows).toHaveLength(250);
  expect(response.complete).toBe(true);
});

test("an empty page is the last one, and then the answer is not complete", async () => {
  const { upstream, offsets } = responding((offset) => page(offset === 0 ? many(0, 100) : [], { total: 250 }));
  expect(worldBankNotices.parse(await worldBankNotices.fetch(upstream), now)).not.toHaveProperty("complete");
  expect(offsets()).toEqual(["0", "100"]);
});

test("no more than fifty pages are asked for, and then the answer is not complete", async () => {
  const { upstream, requested } = responding((offset) => page(many(offset, 100), { total: 33_950 }));
  const response = worldBankNotices.parse(await worldBankNotices.fetch(upstream), now);
  expect(requested).toHaveLength(50);
  expect(response.rows).toHaveLength(5_000);
  expect(response).not.toHaveProperty("complete");
});

test.skipIf(!existsSync(captured))("a captured answer of five notices gives five rows", () => {
  const { rows, rejected } = worldBankNotices.parse([JSON.parse(readFileSync(captured, "utf8"))], now);
  expect(rejected).toEqual([]);
  expect(rows.map(({ countryCode, amount, deadline }) => [countryCode, amount, deadline])).toEqual([
    ["MK", "26000", ""],
    ["MK", "2000000", ""],
    ["TZ", "350000", ""],
    ["KG", "1070000", "2026-09-24T16:00:00.000Z"],
    ["TJ", "15000000", "2026-09-30T15:00:00.000Z"],
  ]);
  expect(rows.map(({ publishedAt }) => publishedAt?.slice(0, 10))).toEqual(
    ["11", "10", "10", "10", "10"].map((day) => `2026-09-${day}`),
  );
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
});

test("the sample yields what it says, complete and valid, in many countries, its days moved to now", async () => {
  const sample = sampleUpstream("world-bank", () => now);
  const { rows, rejected, complete } = worldBankNotices.parse(await worldBankNotices.fetch(sample), now);
  expect([rows.length, rejected, complete]).toEqual([sampleIndex("world-bank")?.rows, [], true]);
  expect(rows.length).toBeGreaterThan(100);
  const checked = checkRows(TenderNoticeSchema, rows);
  expect(checked.rejected).toEqual([]);
  expect(new Set(checked.rows.map(({ countryCode }) => countryCode)).size).toBeGreaterThanOrEqual(20);
  expect(checked.rows.every(({ countryCode }) => countryCode !== "")).toBe(true);
  expect(new Set(checked.rows.map(({ currency }) => currency)).size).toBeGreaterThan(5);
  const later = sampleUpstream("world-bank", () => new Date("2027-11-04T09:00:00Z"));
  const shifted = worldBankNotices.parse(await worldBankNotices.fetch(later), now).rows;
  const ages = (of: typeof rows, at: string) =>
    of.map(({ publishedAt = "" }) => Date.parse(at) - Date.parse(publishedAt));
  expect(Math.min(...ages(shifted, "2027-11-04"))).toBeGreaterThan(0);
  expect(Math.max(...ages(shifted, "2027-11-04"))).toBeLessThan(60 * 86_400_000);
});

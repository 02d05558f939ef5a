import { existsSync, readFileSync } from "node:fs";
import { Response } from "undici";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { contractsFinder } from "../../../../../src/domains/economic/tenders/notices/contracts-finder.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../../src/ingest/refresh/fetch.ts";
import { liveUpstream } from "../../../../../src/upstream/live.ts";
import { sampleIndex, sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL(
  "../../../../../../shared/upstream/contracts-finder/ocds-search-2026-09-17.json",
  import.meta.url,
);
const site = "https://www.contractsfinder.service.gov.uk";
const search = `${site}/Published/Notices/OCDS/Search`;
const guid = "6c1d2f3a-58a0-4c31-9d7e-0f4b1a2c3d4e";
const ocid = "ocds-b5fd17-0a1b2c3d-58a0-4c31-9d7e-0f4b1a2c3d4e";

const tender = {
  id: "EC-1",
  title: "Beach sensor\n network ",
  description: "Sensors on four beaches.\r\n\r\nTwo years,  then  a review.",
  status: "Active",
  classification: { scheme: "CPV", id: "48000000", description: "Software" },
  additionalClassifications: [
    { scheme: "CPV", id: "38120000" },
    { scheme: "CPV", id: "48000000" },
  ],
  value: { amount: 125_000.5, currency: "GBP" },
  tenderPeriod: { endDate: "2026-11-20T12:00:00+01:00" },
  mainProcurementCategory: "services",
  documents: [
    { documentType: "biddingDocuments", url: `${site}/Notice/Attachment/1` },
    { documentType: "tenderNotice", url: `${site}/Notice/${guid}` },
  ],
};
const release = {
  ocid,
  id: `${guid}-910200`,
  language: "en",
  date: "2026-10-10T09:00:00Z",
  tag: ["tender"],
  initiationType: "tender",
  buyer: { id: "GB-CFS-1", name: "Example Council" },
  tender,
};
const page = (releases: readonly unknown[], next?: string) => ({
  uri: search,
  version: "1.1",
  publisher: { name: "Cabinet Office" },
  releases,
  links: next === undefined ? {} : { next },
});
const parse = (...releases: readonly object[]) => contractsFinder.parse([page(releases)], now);
const parseTender = (over: object) => parse({ ...release, tender: { ...tender, ...over } });

/** Answers with one page after the other and writes down what was asked. */
function upstream(...pages: readonly unknown[]): Upstream & { readonly requested: string[] } {
  const requested: string[] = [];
  return {
    origin: "live",
    now,
    requested,
    variable: (name) => name,
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ url }) => pages[requested.push(url) - 1],
  };
}

test("a release becomes a notice under its ocid with its page, words, times, amount and codes", () => {
  expect(parse(release)).toEqual({
    rows: [
      {
        source: "contracts-finder",
        sourceNoticeId: ocid,
        officialUrl: `${site}/Notice/${guid}`,
        countryCode: "GB",
        region: "Europe",
        title: "Beach sensor network",
        description: "Sensors on four beaches.\nTwo years, then a review.",
        buyer: "Example Council",
        publishedAt: "2026-10-10T09:00:00.000Z",
        updatedAt: "",
        deadline: "2026-11-20T11:00:00.000Z",
        status: "active",
        noticeType: "tender",
        amount: "125000.5",
        currency: "GBP",
        categoryCodes: ["48000000", "38120000"],
        sectors: ["services"],
      },
    ],
    rejected: [],
    complete: true,
  });
});

test("a window of published notices covers its own days only", () => {
  expect(parse(release).complete).toBe(true);
  expect(contractsFinder.covers).toEqual({ days: 59 });
});

test("an omitted value is empty, and the buyer may be listed among the parties only", () => {
  const parties = [
    { name: "Example Supplies Ltd", roles: ["supplier"] },
    { name: "Ripon District Council", roles: ["buyer"] },
  ];
  const [row] = parse({ ocid, id: release.id, parties, tender: { title: "Gates", tenderPeriod: null } }).rows;
  expect(row).toEqual({
    source: "contracts-finder",
    sourceNoticeId: ocid,
    officialUrl: `${site}/Notice/${guid}`,
    countryCode: "GB",
    region: "Europe",
    title: "Gates",
    description: "",
    buyer: "Ripon District Council",
    publishedAt: "",
    updatedAt: "",
    deadline: "",
    status: "open",
    noticeType: "",
    amount: "",
    currency: "",
    categoryCodes: [],
    sectors: [],
  });
});

test.each([
  ["of only the release", {}, {}, ["2026-10-10T09:00:00.000Z", ""]],
  [
    "of a first publication",
    {},
    { datePublished: "2026-09-30T08:00:00Z" },
    ["2026-09-30T08:00:00.000Z", "2026-10-10T09:00:00.000Z"],
  ],
  ["that are one", {}, { datePublished: "2026-10-10T10:00:00+01:00" }, ["2026-10-10T09:00:00.000Z", ""]],
  [
    "of a change",
    { dateModified: "2026-10-12T00:00:00Z" },
    {},
    ["2026-10-10T09:00:00.000Z", "2026-10-12T00:00:00.000Z"],
  ],
])("dates %s set the times of publication and change", (_title, over, tenderOver, [publishedAt, updatedAt]) => {
  const [row] = parse({ ...release, ...over, tender: { ...tender, ...tenderOver } }).rows;
  expect(row).toMatchObject({ publishedAt, updatedAt });
});

const other = "https://tenders.example/1";
const documented = (documentType: string, url: string) => ({ documents: [{ documentType, url }] });

test.each([
  ["the document that is the notice", release, `${site}/Notice/${guid}`],
  [
    "its id where no document is the notice",
    { ...release, tender: { ...tender, documents: [] } },
    `${site}/Notice/${guid}`,
  ],
  [
    "its id where the document is elsewhere",
    { ...release, tender: { ...tender, ...documented("tenderNotice", other) } },
    `${site}/Notice/${guid}`,
  ],
  [
    "the award's document of an award",
    { ...release, tag: ["award"], awards: [documented("awardNotice", `${site}/Notice/award`)] },
    `${site}/Notice/award`,
  ],
])("the link is %s", (_title, value, url) => {
  expect(parse(value).rows[0]?.officialUrl).toBe(url);
});

test.each([
  ["Cancelled", ["tenderCancellation"], "cancelled"],
  ["complete", ["award"], "complete"],
  ["", ["award"], "awarded"],
  [undefined, ["tender"], "open"],
])("status %j with tags %j is %s", (status, tag, expected) => {
  expect(parse({ ...release, tag, tender: { ...tender, status } }).rows[0]?.status).toBe(expected);
});

test.each([
  [148_620, "148620"],
  [32_283.5, "32283.5"],
  ["1,250.00", "1250.00"],
  [-5, ""],
  [null, ""],
])("an amount of %j is kept as %j", (amount, expected) => {
  expect(parseTender({ value: { amount, currency: "GBP" } }).rows[0]?.amount).toBe(expected);
});

test("of several releases of one notice the latest counts, wherever it stands", () => {
  const at = (date: string, title: string) => ({ ...release, date, tender: { ...tender, title } });
  const older = at("2026-10-10T09:00:00Z", "First");
  const newer = at("2026-10-10T10:30:00+01:00", "Second");
  for (const releases of [
    [older, newer],
    [newer, older],
  ])
    expect(parse(...releases).rows.map(({ title }) => title)).toEqual(["Second"]);
});

test("releases that cannot be notices are left out and named", () => {
  const id = "2026/17";
  const { rows, rejected } = parse(
    release,
    { ...release, ocid: "ocds-b5fd17-" },
    { ...release, ocid: `${ocid}-a`, tender: { ...tender, title: "  " } },
    { ...release, ocid: `${ocid}-b`, tender: null },
    { ...release, ocid: `${ocid}-c`, id, tender: { ...tender, ...documented("tenderNotice", other) } },
    { ...release, ocid: `${ocid}-d`, tender: { ...tender, tenderPeriod: { endDate: "in due course" } } },
  );
  expect(rows).toHaveLength(1);
  expect(rejected.map(({ row, reason }) => `${row.replace(ocid, "")} ${reason}`)).toEqual([
    "#1 has no ocid",
    expect.stringContaining("-a tender.title"),
    expect.stringContaining("-b tender: "),
    "-c has no page on Contracts Finder",
    '-d tender.tenderPeriod.endDate: cannot read "in due course" as a date',
  ]);
});

test.each([
  ["an error", { message: "Incorrect request" }],
  ["a list", [release]],
  ["releases by id", { releases: { [ocid]: release } }],
])("an answer with %s is a changed format", (_title, body) => {
  expect(() => contractsFinder.parse([body], now)).toThrow(UpstreamError);
});

test("the last sixty days are asked for, page by page by cursor", async () => {
  const pages = upstream(
    page([release], `${search}?cursor=YWJj%3D&limit=100`),
    page([release], "/Published/Notices/OCDS/Search?limit=100&cursor=ZGVm"),
    page([release]),
  );
  expect(await contractsFinder.fetch(pages)).toHaveLength(3);
  const [first, ...rest] = pages.requested.map((url) => Object.fromEntries(new URL(url).searchParams));
  const window = { publishedFrom: "2026-09-05T09:00:00Z", publishedTo: "2026-11-04T09:00:00Z" };
  expect(first).toEqual({ ...window, stages: "tender", limit: "100" });
  expect(rest).toEqual([
    { ...first, cursor: "YWJj=" },
    { ...first, cursor: "ZGVm" },
  ]);
});

test("an empty page is the last, whatever it links to", async () => {
  const pages = upstream(page([release], `${search}?cursor=a`), page([], `${search}?cursor=b`));
  expect(await contractsFinder.fetch(pages)).toHaveLength(2);
});

test.each([
  "https://tenders.example/Published/Notices/OCDS/Search?cursor=a",
  `${site}/Published/Notices/OCDS/Other?cursor=a`,
  `${search}?page=2`,
  "https://",
])("a next page at %s is refused", async (next) => {
  await expect(contractsFinder.fetch(upstream(page([release], next)))).rejects.toThrow(/links to another host/);
});

test("a cursor that comes back is a failure, and so is a feed without end", async () => {
  const again = page([release], `${search}?cursor=a`);
  await expect(contractsFinder.fetch(upstream(again, again))).rejects.toThrow(/same cursor/);
  const endless = Array.from({ length: 200 }, (_, i) => page([release], `${search}?cursor=${i}`));
  const pages = upstream(...endless);
  await expect(contractsFinder.fetch(pages)).rejects.toThrow(/after 150 pages/);
  expect(pages.requested).toHaveLength(150);
});

test("a 403 with HTML is its rate limit, so the site receives one request and then none", async () => {
  let requested = 0;
  const live = liveUpstream({
    clock: () => now,
    variable: () => undefined,
    wait: async () => undefined,
    random: () => 0.5,
    transport: async () => {
      requested++;
      return new Response("<html><body>Request forbidden</body></html>", { status: 403 });
    },
  });
  await expect(contractsFinder.fetch(live)).rejects.toMatchObject({
    name: "UpstreamError",
    status: 403,
    message: expect.stringContaining("is paused until"),
  });
  expect(requested).toBe(1);
});

test("the sample has two pages with one duplicate notice, awards, cancellations, and gaps, and only one invalid notice", async () => {
  const pages = (await contractsFinder.fetch(sampleUpstream("contracts-finder", () => now))) as unknown[];
  expect(pages).toHaveLength(2);
  const { rows, rejected } = contractsFinder.parse(pages, now);
  expect(rows).toHaveLength(sampleIndex("contracts-finder")!.rows);
  expect(rows.length).toBeGreaterThanOrEqual(120);
  expect(rejected).toHaveLength(1);
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
  const has = (of: (row: (typeof rows)[number]) => unknown) => rows.filter(of).length;
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["active", "complete", "cancelled", "withdrawn"]));
  expect(has(({ amount }) => amount === "")).toBeGreaterThan(5);
  expect(has(({ deadline }) => deadline === "")).toBe(1);
  expect(has(({ updatedAt }) => updatedAt)).toBe(2);
  expect(has(({ deadline = "" }) => deadline > now.toISOString())).toBeGreaterThanOrEqual(90);
  expect(has(({ publishedAt = "" }) => publishedAt > now.toISOString())).toBe(0);
});

test.skipIf(!existsSync(captured))("the captured answer passes", () => {
  const { rows, rejected } = contractsFinder.parse([JSON.parse(readFileSync(captured, "utf8"))], now);
  expect(rejected).toEqual([]);
  expect(rows).toMatchObject([
    {
      sourceNoticeId: "ocds-b5fd17-2ae12044-9d16-4a62-a1c4-46fe3630ed1c",
      officialUrl: `${site}/Notice/d578aaf8-f2a0-4cc0-9bd8-1a55c8fb771b`,
      publishedAt: "2026-09-17T21:11:45.000Z",
      deadline: "2026-06-25T11:00:00.000Z",
      status: "complete",
      noticeType: "award",
      amount: "148620",
      currency: "GBP",
      categoryCodes: ["45000000"],
    },
    {
      officialUrl: `${site}/Notice/11112222-3333-4444-5555-666677778888`,
      status: "active",
      deadline: "2099-01-01T12:00:00.000Z",
      amount: "250000",
    },
  ]);
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
});

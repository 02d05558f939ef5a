import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { canadaBuys } from "../../../../../src/domains/economic/tenders/notices/canada-buys.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";
import type { UpstreamRequest } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL("../../../../../../shared/upstream/canadabuys/", import.meta.url);
const capture = (file: string) => readFileSync(new URL(file, captured), "utf8");
const page = "https://canadabuys.canada.ca/en/tender-opportunities/tender-notice";

/** The columns that are read, with the cells of a notice that has them all. */
const radar: Readonly<Record<string, string>> = {
  "title-titre-eng": "Ice radar software",
  "title-titre-fra": "Logiciel de radar à glace",
  "referenceNumber-numeroReference": "cb-100-12345678",
  "amendmentNumber-numeroModification": "001",
  "solicitationNumber-numeroSollicitation": "F5211-270001",
  "publicationDate-datePublication": "2026-10-10",
  "tenderClosingDate-appelOffresDateCloture": "2026-11-17T14:00:00",
  "amendmentDate-dateModification": "2026-10-11",
  "tenderStatus-appelOffresStatut-eng": "Open",
  "tenderStatus-appelOffresStatut-fra": "Ouvert",
  unspsc: "*43230000\n*81110000",
  "unspscDescription-eng": "*Software\n*Computer services",
  "unspscDescription-fra": "*Logiciels\n*Services informatiques",
  "procurementCategory-categorieApprovisionnement": "*SRV",
  "noticeType-avisType-eng": "Request for Proposal",
  "noticeType-avisType-fra": "Demande de propositions",
  "contractingEntityName-nomEntitContractante-eng": "Canadian Coast Guard",
  "contractingEntityName-nomEntitContractante-fra": "Garde côtière canadienne",
  "noticeURL-URLavis-eng": `${page}/cb-100-12345678`,
  "noticeURL-URLavis-fra": "https://canadabuys.canada.ca/fr/occasions-de-marche/appels-d-offres/cb-100-12345678",
  "tenderDescription-descriptionAppelOffres-eng":
    'Radar that sees "thin" ice,\r\nday and night &amp; in snow.\r\n\r\n<2 kg.',
  "tenderDescription-descriptionAppelOffres-fra": "Radar qui voit la glace mince.",
};
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const line = (cells: readonly string[]) => cells.map(quoted).join(",");
const file = (...rows: readonly Readonly<Record<string, string>>[]) =>
  `\uFEFF${[Object.keys(radar), ...rows.map((row) => Object.values({ ...radar, ...row }))].map(line).join("\r\n")}\r\n`;
const parse = (...rows: readonly Readonly<Record<string, string>>[]) => canadaBuys.parse(file(...rows), now);

test("a row becomes a notice with its page, words, times in UTC and codes", () => {
  expect(parse({})).toEqual({
    rows: [
      {
        source: "canada-buys",
        sourceNoticeId: "cb-100-12345678",
        officialUrl: `${page}/cb-100-12345678`,
        countryCode: "CA",
        region: "North America",
        title: "Ice radar software",
        description: 'Radar that sees "thin" ice,\nday and night & in snow.\n<2 kg.',
        buyer: "Canadian Coast Guard",
        publishedAt: "2026-10-10T04:00:00.000Z",
        updatedAt: "2026-10-11T04:00:00.000Z",
        deadline: "2026-11-17T19:00:00.000Z",
        status: "open",
        noticeType: "Request for Proposal",
        procedureId: "F5211-270001",
        categoryCodes: ["43230000", "81110000", "SRV"],
        sectors: ["Software", "Computer services"],
      },
    ],
    rejected: [],
    complete: true,
  });
});

test("a notice in French only has its words in French", () => {
  const english = Object.fromEntries(
    ["title-titre", "unspscDescription", "noticeType-avisType", "noticeURL-URLavis"]
      .concat("contractingEntityName-nomEntitContractante", "tenderDescription-descriptionAppelOffres")
      .map((column) => [`${column}-eng`, " "]),
  );
  expect(parse(english).rows).toMatchObject([
    {
      title: "Logiciel de radar à glace",
      description: "Radar qui voit la glace mince.",
      buyer: "Garde côtière canadienne",
      noticeType: "Demande de propositions",
      sectors: ["Logiciels", "Services informatiques"],
      officialUrl: radar["noticeURL-URLavis-fra"],
    },
  ]);
});

test.each([
  ["summer time", "2026-08-17T14:00:00", "2026-08-17T18:00:00.000Z"],
  ["winter time", "2026-12-01T14:00", "2026-12-01T19:00:00.000Z"],
  ["a zone of its own", "2026-12-01T14:00:00-08:00", "2026-12-01T22:00:00.000Z"],
  ["only a day, at its end", "2026-12-01", "2026-12-02T04:59:59.999Z"],
  ["nothing", "", ""],
])("closing in %s is the moment it means", (_title, closing, deadline) => {
  expect(parse({ "tenderClosingDate-appelOffresDateCloture": closing }).rows[0]?.deadline).toBe(deadline);
});

test("of the amendments of one notice the highest counts, wherever it stands", () => {
  const amended = (number: string, title: string) => ({
    "amendmentNumber-numeroModification": number,
    "title-titre-eng": title,
  });
  const rows = [amended("", "none"), amended("010", "ten"), amended("009", "nine"), amended("000", "first")];
  for (const order of [rows, rows.toReversed()]) {
    const { rows: notices, rejected } = parse(...order, { "referenceNumber-numeroReference": "cb-2" });
    expect(notices.map(({ title }) => title)).toEqual(["ten", "Ice radar software"]);
    expect(rejected).toEqual([]);
  }
});

const url = (eng: string, fra = "") => ({ "noticeURL-URLavis-eng": eng, "noticeURL-URLavis-fra": fra });

test.each([
  [
    "of MERX",
    url("https://www.merx.com/public/solicitations/37/abstract?language=EN"),
    "https://www.merx.com/public/solicitations/37/abstract?language=EN",
  ],
  ["of Ariba", url("https://discovery.ariba.com/rfx/21"), "https://discovery.ariba.com/rfx/21"],
  ["in French where the English one is elsewhere", url("https://bids.example/1", `${page}/x`), `${page}/x`],
  ["made from its id where it has none", url(""), `${page}/cb-100-12345678`],
])("the link is the page %s", (_title, over, link) => {
  expect(parse(over).rows[0]?.officialUrl).toBe(link);
});

test("rows that cannot be notices are left out and named", () => {
  const { rows, rejected } = parse(
    {},
    { "referenceNumber-numeroReference": " " },
    { "referenceNumber-numeroReference": "b", "title-titre-eng": "", "title-titre-fra": "" },
    { "referenceNumber-numeroReference": "c", ...url("https://bids.example/1") },
    { "referenceNumber-numeroReference": "d", ...url("http://canadabuys.canada.ca/en/x") },
    { "referenceNumber-numeroReference": "MX-1", ...url("") },
    { "referenceNumber-numeroReference": "cb-1", ...url("https://canadabuys.canada.ca.example/en/x") },
    { "referenceNumber-numeroReference": "e", "tenderClosingDate-appelOffresDateCloture": "31/13/2026" },
  );
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([
    { row: "line 9", reason: "has no reference number" },
    { row: "b", reason: "has no title" },
    ...["c", "d", "MX-1", "cb-1"].map((row) => ({ row, reason: "has no page on an official host" })),
    { row: "e", reason: 'closing: cannot read "31/13/2026" as a date' },
  ]);
});

test("a row with cells too many or too few is left out, and the others stay", () => {
  const broken = `${file({ "referenceNumber-numeroReference": "cb-9" })}"Half a row","","cb-3"\r\n`;
  const { rows, rejected } = canadaBuys.parse(broken, now);
  expect(rows.map(({ sourceNoticeId }) => sourceNoticeId)).toEqual(["cb-9"]);
  expect(rejected).toEqual([{ row: "cb-3", reason: "has 3 cells" }]);
});

test.each([
  [
    "without quotation marks around the cell",
    (text: string) => text.replace('"Icebreaker hull"', 'Icebreaker 12" hull'),
  ],
  ["within the cell", (text: string) => text.replace('"Icebreaker hull"', '"Icebreaker 12" hull"')],
  ["at its start", (text: string) => text.replace('"Icebreaker hull"', '"Icebreaker hull')],
])("a quotation mark out of place %s costs one notice, and then no other has vanished", (_where, spoil) => {
  const notices = ["a", "Icebreaker hull", "c"].map((title, place) => ({
    ...{ "title-titre-eng": title, "referenceNumber-numeroReference": `cb-${place}` },
  }));
  const { rows, rejected, complete } = canadaBuys.parse(spoil(file(...notices)), now);
  expect(rows.map(({ sourceNoticeId }) => sourceNoticeId)).toEqual(["cb-0", "cb-2"]);
  expect([rejected.length, complete]).toEqual([1, false]);
});

test.each(["Cancelled", "Expired", "Awarded", "Closed", ""])(
  "the status %j is kept in lower case; without one a notice is open",
  (status) => {
    expect(parse({ "tenderStatus-appelOffresStatut-eng": status }).rows[0]?.status).toBe(
      status.toLowerCase() || "open",
    );
  },
);

test.each([
  ["without a column that must be there", file({}).replace("tenderClosingDate", "closingDate")],
  ["of HTML", "<!DOCTYPE html><html><body>Service unavailable</body></html>"],
  ["that is empty", ""],
  ["that was cut off inside a cell", file({}).slice(0, -40)],
  ["in the format of 2015", existsSync(captured) ? capture("buyandsell-2015-tenders.csv") : '"language","title"\n'],
])("a file %s is a changed format", (_title, text) => {
  expect(() => canadaBuys.parse(text, now)).toThrow(UpstreamError);
});

test("the columns may stand in any order, and optional ones may be missing", () => {
  const columns = Object.keys(radar).toReversed();
  const read = columns.filter((column) => !column.startsWith("solicitation"));
  const text = [line(read), line(read.map((column) => radar[column] ?? ""))].join("\n");
  expect(canadaBuys.parse(text, now).rows).toEqual(parse({ "solicitationNumber-numeroSollicitation": "" }).rows);
});

const cell = fc.string({ unit: fc.constantFrom(..."ab,\"\n\r;*' é&<") }).map((text) => `x${text}y`);

test("whatever commas, quotes and lines a cell holds, it stays one cell", () => {
  fc.assert(
    fc.property(cell, cell, (title, buyer) => {
      const [row] = parse({ "title-titre-eng": title, "contractingEntityName-nomEntitContractante-eng": buyer }).rows;
      const onOneLine = (text: string) => text.replace(/\s+/g, " ");
      expect([row?.title, row?.buyer]).toEqual([title, buyer].map(onOneLine));
      expect(row?.officialUrl).toBe(radar["noticeURL-URLavis-eng"]);
    }),
  );
});

const code = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ]{0,6}[A-Za-z0-9]$/).map((text) => text.replace(/\s+/g, " "));

test("a cell with several values gives each once, without its star", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(code),
      fc.constantFrom("*", "* ", ""),
      fc.constantFrom("\n", "\r\n", "\n\n"),
      (codes, star, end) => {
        const text = codes.map((value) => star + value).join(end);
        const [row] = parse({ unspsc: text, "procurementCategory-categorieApprovisionnement": text }).rows;
        expect(row?.categoryCodes).toEqual([...codes, ...codes]);
      },
    ),
  );
});

test("character references are decoded once", () => {
  const text = "A &amp; B &rsquo; &#233; &amp;lt; &amp;amp; <b>c</b> & d";
  const [row] = parse({ "title-titre-eng": text, "tenderDescription-descriptionAppelOffres-eng": text }).rows;
  const decoded = "A & B ’ é &lt; &amp; <b>c</b> & d";
  expect([row?.title, row?.description]).toEqual([decoded, decoded]);
});

test("the file is given a minute and asked for twice at most", async () => {
  const requested: UpstreamRequest[] = [];
  const unasked = () => Promise.reject(new Error("not asked"));
  await canadaBuys.fetch({
    origin: "live",
    now,
    variable: (name) => name,
    json: unasked,
    text: async (request) => {
      requested.push(request);
      return file({});
    },
  });
  expect(requested).toEqual([
    {
      url: "https://canadabuys.canada.ca/opendata/pub/openTenderNotice-ouvertAvisAppelOffres.csv",
      timeoutMs: 60_000,
      tries: 2,
    },
  ]);
});

test("the sample has amendments, French notices, several codes and every status, all valid but one", async () => {
  const upstream = sampleUpstream("canada-buys", () => now);
  const { rows, rejected } = canadaBuys.parse(await canadaBuys.fetch(upstream), now);
  expect(rows).toHaveLength(sampleIndex("canada-buys")!.rows);
  expect(rows.length).toBeGreaterThanOrEqual(110);
  expect(rejected).toHaveLength(1);
  expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
  const has = (of: (row: (typeof rows)[number]) => unknown) => rows.filter(of).length;
  expect(new Set(rows.map(({ status }) => status))).toEqual(
    new Set(["open", "cancelled", "expired", "closed", "awarded"]),
  );
  expect(has(({ updatedAt }) => updatedAt)).toBe(3);
  expect(has(({ buyer = "" }) => /\((fictif|fictive)\)$/.test(buyer))).toBeGreaterThan(3);
  expect(has(({ sectors = [] }) => sectors.length > 1)).toBeGreaterThan(5);
  expect(has(({ deadline = "" }) => deadline > now.toISOString())).toBeGreaterThanOrEqual(90);
  expect(has(({ publishedAt = "" }) => publishedAt > now.toISOString())).toBe(0);
});

test.skipIf(!existsSync(captured)).each(["openTenderNotice-67cols-4rows.csv", "canadabuys_sample-28cols.csv"])(
  "the captured file %s passes",
  (name) => {
    const { rows, rejected } = canadaBuys.parse(capture(name), now);
    expect(rejected).toEqual([]);
    expect(checkRows(TenderNoticeSchema, rows).rejected).toEqual([]);
    expect(rows.find(({ sourceNoticeId }) => sourceNoticeId === "cb-604-41302770")).toMatchObject({
      officialUrl: `${page}/cb-604-41302770`,
      buyer: "Department of National Defence (DND)",
      publishedAt: "2026-07-08T04:00:00.000Z",
      deadline: "2026-07-28T18:00:00.000Z",
      categoryCodes: ["22100000", "CNST"],
      sectors: ["Heavy construction machinery and equipment"],
    });
    expect(rows.length).toBe(name.includes("67cols") ? 4 : 3);
  },
);

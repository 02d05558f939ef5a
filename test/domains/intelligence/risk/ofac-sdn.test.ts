import { expect, test } from "vitest";
import { ofacSdn } from "../../../../src/domains/intelligence/risk/ofac-sdn.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { UpstreamRequest } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");

const sdn = (id: number, remarks: string) =>
  `${id},"A, ""B"" TRADING","-0-","SDGT","-0-","-0-","-0-","-0-","-0-","-0-","-0-","${remarks}"`;
const file = (lines: string[]) => `${lines.join("\r\n")}\r\n\u001a\r\n`;
const oneParty = { parties: [sdn(90_000, "-0-")], addresses: ['90000,1,"-0-","-0-","-0-","-0-"'] };
const listed = (parties: string[], addresses: string[], others = oneParty, comments: string[] = []) => {
  const list = { parties: file(parties), addresses: file(addresses), comments: file(comments) };
  return ofacSdn.parse([list, { ...list, parties: file(others.parties), addresses: file(others.addresses) }], now);
};

test("a party counts once in each country of its addresses and nationalities", () => {
  const { rows, rejected } = listed(
    [
      sdn(1, "DOB 02 Mar 1960; nationality Iran; citizen Syria; Gender Male."),
      sdn(2, "citizen Korea, North."),
      sdn(3, "-0-"),
      sdn(4, "nationality Narnia."),
    ],
    [
      '1,11,"-0-","Tehran","Iran","-0-"',
      '1,12,"-0-","Qom","Iran","-0-"',
      '3,13,"-0-","Yangon","Burma","-0-"',
      '3,14,"-0-","-0-","-0-","-0-"',
      '9,15,"of a party that is not listed","-0-","Cuba","-0-"',
    ],
  );
  expect(rows.map(({ country, amount }) => [country, amount])).toEqual([
    ["IR", 1],
    ["SY", 1],
    ["KP", 1],
    ["MM", 1],
  ]);
  expect(rejected).toEqual([{ row: "Narnia", reason: "is not a country" }]);
});

test.each([
  ["Palestinian", "PS"],
  ["West Bank", "PS"],
  ["Region: Gaza", "PS"],
  ["Man, Isle of", "IM"],
  ["North Macedonia, The Republic of", "MK"],
  ["Macedonia, The Former Yugoslav Republic of", "MK"],
])("%s is %s", (name, country) => {
  const { rows, rejected } = listed(
    [sdn(1, `nationality ${name}; Gender Male.`)],
    [`1,11,"-0-","-0-","${name}","-0-"`],
  );
  expect([rows.map((row) => [row.country, row.amount]), rejected]).toEqual([[[country, 1]], []]);
});

test("a company's place of registration does not count as its nationality", () => {
  const remarks = "Nationality of Registration Panama; Organization Established Date 04 Mar 2011; nationality Iran.";
  const { rows, rejected } = listed([sdn(1, remarks)], ['1,11,"-0-","-0-","-0-","-0-"']);
  expect([rows.map(({ country }) => country), rejected]).toEqual([["IR"], []]);
});

test("parties of the consolidated list count as well, and once where they are on both", () => {
  const { rows, rejected } = listed(
    [sdn(1, "nationality Iran."), sdn(2, "-0-")],
    ['2,11,"-0-","Moscow","Russia","-0-"'],
    {
      parties: [sdn(2, "nationality Russia."), sdn(3, "-0-"), "4,short"],
      addresses: ['2,12,"-0-","Minsk","Belarus","-0-"', '3,13,"-0-","Beijing","China","-0-"', "3,short"],
    },
  );
  expect(rows.map(({ country, amount }) => [country, amount])).toEqual([
    ["IR", 1],
    ["RU", 1],
    ["BY", 1],
    ["CN", 1],
  ]);
  expect(rejected.map(({ row }) => row)).toEqual(["CONS_PRIM.CSV line 3", "CONS_ADD.CSV line 3"]);
});

test.each([
  ["between words", `${"x".repeat(980)}; nationality Iran;`, "citizen Syria.", ["IR", "SY"]],
  ["after a word", `${"x".repeat(986)}; nationality`, "Iran; citizen Syria.", ["IR", "SY"]],
  ["within a word", `${"x".repeat(984)}; nationality Ir`, "an; Gender Male.", ["IR"]],
])("remarks that are cut %s continue in the file of comments", (_where, remarks, comment, countries) => {
  const address = '1,11,"-0-","-0-","-0-","-0-"';
  const { rows, rejected } = listed([sdn(1, remarks)], [address], oneParty, [
    `1,"${comment}"`,
    '2,"nationality Cuba."',
  ]);
  expect([rows.map(({ country }) => country), rejected]).toEqual([countries, []]);
});

test("a quotation mark out of place costs one party", () => {
  const { rows, rejected } = listed(
    [sdn(1, "nationality Iran."), sdn(2, 'the "A" line; nationality Cuba.'), sdn(3, "nationality Syria.")],
    ['1,11,"-0-","-0-","-0-","-0-"'],
  );
  expect(rows.map(({ country }) => country)).toEqual(["IR", "SY"]);
  expect(rejected).toEqual([{ row: "SDN.CSV line 2", reason: "has a misplaced quotation mark" }]);
});

test("without one of the six files there is no answer", async () => {
  const sample = sampleUpstream("ofac-sdn", () => now);
  for (const missing of [
    "/SDN.CSV",
    "/ADD.CSV",
    "/CONS_PRIM.CSV",
    "/CONS_ADD.CSV",
    "/SDN_COMMENTS.CSV",
    "/CONS_COMMENTS.CSV",
  ]) {
    const text = async (request: UpstreamRequest) =>
      request.url.endsWith(missing) ? Promise.reject(new UpstreamError("gone")) : sample.text(request);
    await expect(ofacSdn.fetch({ ...sample, text })).rejects.toThrow("gone");
  }
});

test("a line of another number of cells is rejected by its place", () => {
  const { rejected } = listed([sdn(1, "-0-"), "2,short"], ['1,11,"-0-","Tehran","Iran","-0-"']);
  expect(rejected).toEqual([{ row: "SDN.CSV line 2", reason: "has 2 cells" }]);
});

test.each([
  ["2026-11-18", false],
  ["2026-11-17", true],
  ["2026-11-10", true],
  ["2026-11-09", false],
])("with a list of 18 November, the row of %s is retained: %s", (date, stored) => {
  expect(ofacSdn.remember?.retains({ country: "CU", input: "sanctionedParties", amount: 1, date }, now)).toBe(stored);
});

test.each([
  ["HTML", () => ofacSdn.parse(Array(2).fill({ parties: "<html>", addresses: "<html>" }), now)],
  ["a list with other columns", () => listed(["1,a"], ["1,b"])],
  [
    "a consolidated list without parties",
    () => listed([sdn(1, "-0-")], ['1,1,"","","",""'], { ...oneParty, parties: [] }),
  ],
])("%s is rejected", (_what, parse) => {
  expect(parse).toThrow(UpstreamError);
});

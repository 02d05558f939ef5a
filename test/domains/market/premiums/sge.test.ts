import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { sge } from "../../../../src/domains/market/premiums/sge.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { startLoopback } from "../../../upstream/loopback.ts";

const now = new Date("2026-07-11T09:00:00Z");
const headers = ["Trade Date", "Contract", "Benchmark Price AM", "Benchmark Price PM"];
const line = (cells: readonly string[], tag = "td") =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
const table = (...rows: readonly (readonly string[])[]) =>
  `<table><thead>${line(headers, "th")}</thead><tbody>${rows.map((row) => line(row)).join("")}</tbody></table>`;
const page = (body: string) => `<!DOCTYPE html><html><body>${body}</body></html>`;
const silver = page(table(["20260710", "SHAG", "9480", "9500"]));
const parse = (gold: string) => sge.parse({ gold: page(gold), silver }, now);
const goldOf = (gold: string) => parse(gold).rows.filter(({ symbol }) => symbol === "SHAU");

test("a row becomes a print with its day and the afternoon's price, of each metal", () => {
  expect(parse(table(["20260710", "SHAU", "801.10", "800.00"]))).toEqual({
    rows: [
      { symbol: "SHAU", price: "800.00", asOf: "2026-07-10", source: "Shanghai Gold Exchange SHAU PM benchmark" },
      { symbol: "SHAG", price: "9500", asOf: "2026-07-10", source: "Shanghai Gold Exchange SHAG PM benchmark" },
    ],
    rejected: [],
  });
});

test.each(["", "/", "-", "--", "0", "0.00", " "])(
  "where the afternoon's price is %j the morning's is taken, and the source says so",
  (pm) => {
    expect(goldOf(table(["20260710", "SHAU", "1,801.10", pm]))).toMatchObject([
      { price: "1801.10", source: "Shanghai Gold Exchange SHAU AM benchmark" },
    ]);
  },
);

test("commas between thousands, markup, comments, entities and blanks in a cell change nothing", () => {
  const cell = "<b>1,2<!-- 9 -->34</b><span>.5</span><script>7</script>&nbsp;\n";
  expect(goldOf(table(["<a href='#'>2026</a>0710", " SHAU ", "/", cell]))).toMatchObject([
    { price: "1234.5", asOf: "2026-07-10" },
  ]);
});

test.each([
  [["20260230", "SHAU", "801.10", "800.00"], "has no day"],
  [["9 juillet 2026", "SHAU", "801.10", "800.00"], "has no day"],
  [["260709", "SHAU", "801.10", "800.00"], "has no day"],
  [["20260709", "SHAG", "801.10", "800.00"], "is of the contract SHAG"],
  [["20260709", "SHAU", "801.10"], "has 3 cells"],
  [["20260709", "SHAU", "801.10", "800.00", "1"], "has 5 cells"],
  [["20260709", "SHAU", "/", "0"], "has no AM price"],
  [["20260709", "SHAU", "801.10", "8OO.00"], "has no PM price"],
  [["20260709", "SHAU", "801.10", "80,0.00"], "has no PM price"],
  [["20260709", "SHAU", "801.10", "-800.00"], "has no PM price"],
  [["20260709", "SHAU", "801.10", "8e2"], "has no PM price"],
  [[], "has 0 cells"],
])("a row %j is rejected because it %s, and the others stay", (cells, reason) => {
  const { rows, rejected } = parse(table(["20260710", "SHAU", "801.10", "800.00"], cells));
  expect(rows).toHaveLength(2);
  expect(rejected).toMatchObject([{ reason }]);
});

test("a day that is there twice counts once, and not at all when its prices differ", () => {
  const good = ["20260709", "SHAU", "801.10", "799.00"];
  const same = ["20260710", "SHAU", "801.10", "800.00"];
  expect(goldOf(table(good, same, same))).toHaveLength(2);
  const { rows, rejected } = parse(table(good, same, ["20260710", "SHAU", "801.10", "900.00"]));
  expect(rows.map(({ asOf }) => asOf)).toEqual(["2026-07-09", "2026-07-10"]);
  expect(rows.filter(({ symbol }) => symbol === "SHAU")).toHaveLength(1);
  expect(rejected.map(({ reason }) => reason)).toEqual(["the day occurs twice", "two rows of the day differ"]);
});

test("other tables on the page are passed over, and one round the prices too", () => {
  const prices = table(["20260710", "SHAU", "801.10", "800.00"]);
  const other = `<table>${line(["20260710", "SHAU", "1.00", "1.00"])}</table>`;
  expect(goldOf(`${other}<table><tr><td>${prices}</td></tr></table>${other}`)).toMatchObject([{ price: "800.00" }]);
});

const good = ["20260710", "SHAU", "801.10", "800.00"];
test.each([
  ["without a table", "<p>Please enable JavaScript</p>"],
  ["with other headers", table(good).replace("Benchmark Price PM", "Price PM")],
  [
    "with its columns in another order",
    table(good).replace("Price AM", "X").replace("Price PM", "Price AM").replace("X", "Price PM"),
  ],
  ["with one more column", table(good).replace("</tr></thead>", "<th>Note</th></tr></thead>")],
  ["with two such tables", table(good) + table(good)],
  ["without a print", table()],
  ["of which no row is good", table(["20260230", "SHAU", "801.10", "800.00"])],
  ["that is empty", ""],
])("a page %s is a changed format", (_what, html) => {
  expect(() => parse(html)).toThrow(UpstreamError);
});

test("the sample's pages pass whole", async () => {
  const upstream = sampleUpstream("sge", () => now);
  const { rows, rejected } = sge.parse(await sge.fetch(upstream), upstream.now);
  expect([rows.length, rejected.length]).toEqual([14, 0]);
});

const pageOf = (bytes: number) => table(good).padEnd(bytes, " ");
test.each([
  ["of 256 KB is read", "text/html; charset=utf-8", pageOf(256 * 1024), /^$/],
  ["of one byte more is rejected", "text/html", pageOf(256 * 1024 + 1), /more than 262144 bytes/],
  ["that is not HTML is rejected", "application/json", pageOf(100), /instead of text\/html/],
])("a page %s", async (_what, type, body, words) => {
  const answer: RequestListener = (_request, response) =>
    void response.writeHead(200, { "Content-Type": type }).end(body);
  await using outside = await startLoopback([answer, answer]);
  const failure = await sge.fetch(outside.upstream).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(failure).toMatch(words);
});

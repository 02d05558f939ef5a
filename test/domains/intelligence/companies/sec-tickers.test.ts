import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { TickerRegisterSchema } from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { companyIndex, secRegister, secTickers } from "../../../../src/domains/intelligence/companies/sec-tickers.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { ConfigurationError } from "../../../../src/errors.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { startLoopback } from "../../../upstream/loopback.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/sec/company_tickers.json", import.meta.url);

const parse = (...rows: readonly unknown[]) => secRegister.parse({ ...rows }, now);
const apple = { cik_str: 320193, ticker: "AAPL", title: "Apple Inc." };

test("a row becomes a company with a key of ten digits", () => {
  expect(parse(apple)).toEqual({ rows: [{ cik: "0000320193", ticker: "AAPL", title: "Apple Inc." }], rejected: [] });
});

test.each([
  ["no key", { ...apple, cik_str: null }, "#1", /cik_str/],
  ["a key of a fraction", { ...apple, cik_str: 1.5 }, "#1", /cik_str/],
  ["no ticker", { ...apple, ticker: " " }, "#1", /ticker/],
  ["no name", { ...apple, title: "" }, "#1", /title/],
  ["a ticker that is there already", { ...apple, cik_str: 7, ticker: "aapl" }, "AAPL", /already/],
])("a row with %s is rejected with its reason", (_what, row, named, reason) => {
  const { rows, rejected } = parse(apple, row);
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([{ row: named, reason: expect.stringMatching(reason) }]);
});

test.each([[[]], [[apple]], [null], ["<html>"], [{ error: "Forbidden" }], [{ data: [apple] }]])(
  "a response in another format, %j, throws, and so does an empty list",
  (response) => {
    const parsed = () => secRegister.parse(response, now);
    if (Array.isArray(response) && response.length === 0) expect(parsed).toThrow(UpstreamError);
    else expect(parsed).toThrow(UpstreamError);
  },
);

test("the Commission receives the contact, and a contact that fits no header is a configuration error", async () => {
  await using outside = await startLoopback([(_request, response) => response.end(JSON.stringify({ 0: apple }))], {
    variable: (name) => ({ SEC_CONTACT: "ops@example.org" })[name],
  });
  await secRegister.fetch(outside.upstream);
  expect(outside.requests[0]?.headers["user-agent"]).toBe("intelligence-data-service/1.0 (ops@example.org)");
  const requested = secRegister.fetch({ ...outside.upstream, variable: () => "ops@example.org\r\nX: y" });
  await expect(Promise.resolve(requested)).rejects.toThrow(ConfigurationError);
});

test("the sample's register has the tickers it says, one company with two among them", async () => {
  const { rows, rejected } = secRegister.parse(await secRegister.fetch(sampleUpstream("sec", () => now)), now);
  expect([rows.length, rejected]).toEqual([sampleIndex("sec")?.rows, []]);
  expect(rows.length).toBeGreaterThanOrEqual(40);
  expect(rows.filter(({ cik }) => cik === "9990000103").map(({ ticker }) => ticker)).toEqual(["LXDA", "LXDB"]);
});

test.skipIf(!existsSync(captured))("the captured register passes whole, and its companies are found", () => {
  const { rows, rejected } = secRegister.parse(JSON.parse(readFileSync(captured, "utf8")), now);
  expect([rows.length, rejected]).toEqual([9610, []]);
  const checked = checkRows(secTickers.row, rows);
  expect(checked.rejected).toEqual([]);
  const { byTicker, byName } = companyIndex(create(TickerRegisterSchema, { companies: checked.rows }));
  expect(byTicker("BRK.B")).toMatchObject({ cik: "0001067983", ticker: "BRK-B" });
  expect(byName("  alphabet   INC. ")).toMatchObject({ ticker: "GOOGL" });
  expect(rows.filter(({ ticker = "" }) => !byTicker(ticker)).map(({ ticker }) => ticker)).toEqual([]);
});

const listed = (...companies: readonly (readonly [cik: number, ticker: string, title: string])[]) =>
  companyIndex(
    create(TickerRegisterSchema, {
      companies: companies.map(([cik, ticker, title]) => ({ cik: String(cik).padStart(10, "0"), ticker, title })),
    }),
  );

test("a name that two companies share matches neither, and a name with two tickers matches its company", () => {
  const { byName } = listed(
    [1, "AA", "Acme Corp"],
    [2, "BB", "ACME CORP"],
    [3, "CC-A", "Bolt Co"],
    [3, "CC-B", "Bolt Co"],
  );
  expect(byName("Acme Corp")).toBeUndefined();
  expect(byName("bolt co")?.ticker).toBe("CC-A");
  expect(byName("bolt")).toBeUndefined();
});

test("a third company of a shared name does not make it match again", () => {
  expect(listed([1, "A", "Acme"], [2, "B", "Acme"], [1, "C", "Acme"]).byName("acme")).toBeUndefined();
});

test.each(["", "1AAPL", "AAPL ", "aapl", "AAAAAAAAAAA", "A/B", "A'B"])("%j can be no ticker", (ticker) => {
  expect(listed([1, ticker || "X", "Acme"]).byTicker(ticker)).toBeUndefined();
});

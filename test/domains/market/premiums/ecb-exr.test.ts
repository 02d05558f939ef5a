import { expect, test } from "vitest";
import { ecbExr } from "../../../../src/domains/market/premiums/ecb-exr.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-07-13T08:00:00Z");
const head = "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE_COMPL";
const line = (currency: string, day: string, value: string) =>
  `EXR.D.${currency}.EUR.SP00.A,D,${currency},EUR,SP00,A,${day},${value},A,"ECB reference exchange rate, 2.15 pm (C.E.T.)"`;
const parse = (...lines: readonly string[]) => ecbExr.parse([head, ...lines].join("\r\n"), now);

test("dollars per yuan are dollars per euro by yuan per euro, at 14:15 UTC of each day that has both", () => {
  expect(
    parse(
      line("CNY", "2026-07-09", "8.3000"),
      line("CNY", "2026-07-10", "8.3415"),
      line("USD", "2026-07-09", "1.1620"),
      line("USD", "2026-07-10", "1.1712"),
    ),
  ).toEqual({
    rows: [
      ["2026-07-09", "0.14"],
      ["2026-07-10", "0.14040640"],
    ].map(([day, rate]) => ({
      symbol: "CNY/USD",
      price: String(Number(rate)),
      asOf: `${day}T14:15:00.000Z`,
      source: "European Central Bank euro reference rates",
    })),
    rejected: [],
  });
});

test("a rate has 8 significant digits, so that nothing of either rate is lost", () => {
  const { rows } = parse(line("CNY", "2026-07-10", "8.2997"), line("USD", "2026-07-10", "1.1618"));
  expect(rows[0]?.price).toBe("0.13998096");
  expect(Math.abs(Number(rows[0]?.price) / (1.1618 / 8.2997) - 1)).toBeLessThan(1e-7);
});

test.each([
  ["JPY", "2026-07-10", "170.1"],
  ["USD", "2026-02-30", "1.1"],
  ["USD", "2026-07", "1.1"],
  ["USD", "2026-07-10", ""],
  ["USD", "2026-07-10", "NaN"],
  ["USD", "2026-07-10", "0"],
  ["USD", "2026-07-10", "-1.1"],
  ["USD", "2026-07-10", "1,1"],
])("a row of %s on %s with %j is rejected, and the day that has both rates stays", (currency, day, value) => {
  const both = [line("CNY", "2026-07-09", "8.3"), line("USD", "2026-07-09", "1.162")];
  const { rows, rejected } = parse(...both, line(currency, day, `"${value}"`));
  expect(rows).toHaveLength(1);
  expect(rejected).toMatchObject([{ row: `${currency} ${day}` }]);
});

test.each([
  ["CNY", "USD"],
  ["USD", "CNY"],
])("a day with only a rate of %s is rejected because it has none of %s", (there, wanted) => {
  expect(parse(line(there, "2026-07-10", "1.5"))).toEqual({
    rows: [],
    rejected: [{ row: "2026-07-10", reason: `has no rate of ${wanted}` }],
  });
});

test.each([
  ["nothing", ""],
  ["other columns", "DATE,USD\n2026-07-10,1.1"],
  ["HTML", "<html><body>Please enable JavaScript</body></html>"],
  ["a broken quote", `${head}\n"a,b`],
])("%s instead of rates is a failure", (_what, text) => {
  expect(() => ecbExr.parse(text, now)).toThrow(UpstreamError);
});

test("the sample's rates pass whole", async () => {
  const upstream = sampleUpstream("ecb-exr", () => now);
  const { rows, rejected } = ecbExr.parse(await ecbExr.fetch(upstream), upstream.now);
  expect([rows.length, rejected.length]).toEqual([5, 0]);
});

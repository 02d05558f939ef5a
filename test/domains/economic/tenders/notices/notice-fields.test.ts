import fc from "fast-check";
import { expect, test } from "vitest";
import { alpha2, currency, decimal, plain } from "../../../../../src/domains/economic/tenders/notices/notice-fields.ts";

test.each([
  ["  Tide\n\t gauges ", "Tide gauges"],
  ["a\u00a0b\u2003c", "a b c"],
  ["null\0byte", "nullbyte"],
  ["half \ud800 pair", "half \ufffd pair"],
  [412, "412"],
  [null, ""],
  [undefined, ""],
  [{}, ""],
  [["a"], ""],
  [true, ""],
])("%j is the text %j", (value, text) => {
  expect(plain(value)).toBe(text);
});

test.each([
  ["125000.50", "125000.50"],
  ["1,250,000", "1250000"],
  ["12,345.6", "12345.6"],
  [" 800620 ", "800620"],
  ["0", "0"],
  [0, "0"],
  [-0, "0"],
  [1678875, "1678875"],
  [0.1, "0.1"],
  [0.1 + 0.2, "0.300000"],
  ["3.1234567", "3.123456"],
  ["999999999999999999", "999999999999999999"],
  ["1000000000000000000", ""],
  [1e21, ""],
  [1e-7, ""],
  ["-5", ""],
  [-5, ""],
  ["+5", ""],
  ["5.", ""],
  [".5", ""],
  ["1.250,00", ""],
  ["12,34", ""],
  ["1,2345", ""],
  ["EUR 5", ""],
  ["0x10", ""],
  ["1e3", ""],
  [Number.NaN, ""],
  [Number.POSITIVE_INFINITY, ""],
  ["", ""],
  [null, ""],
])("%j is the amount %j", (value, amount) => {
  expect(decimal(value)).toBe(amount);
});

test("an amount of up to six decimals stays as it is written, and every other text gives one that can be kept, or none", () => {
  const written = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.option(fc.stringMatching(/^\d{1,6}$/)))
    .map(([whole, part]) => (part === null ? String(whole) : `${whole}.${part}`));
  fc.assert(
    fc.property(written, (text) => {
      expect(decimal(text)).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double(), fc.stringMatching(/^[\d.,-]{0,30}$/)), (value) => {
      expect(decimal(value)).toMatch(/^(\d{1,18}(\.\d{1,6})?)?$/);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["eur", "EUR"],
  [" SEK ", "SEK"],
  ["€", ""],
  ["EURO", ""],
  [null, ""],
])("%j is the currency %j", (value, code) => {
  expect(currency(value)).toBe(code);
});

test.each([
  ["FRA", "FR"],
  ["fra", "FR"],
  ["fr", "FR"],
  ["XKX", "XK"],
  ["ZZZ", ""],
  ["EU", ""],
  ["", ""],
  ["France", "FR"],
])("the country of %j is %j", (code, country) => {
  expect(alpha2(code)).toBe(country);
});

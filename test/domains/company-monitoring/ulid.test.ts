import fc from "fast-check";
import { expect, test } from "vitest";
import { ulid } from "../../../src/domains/company-monitoring/ulid.ts";

test("a ULID is written as its specification's example", () => {
  // The specification's time part; its random part written back into bytes.
  const bytes = Buffer.from("d6764c61efb99302bd5b", "hex");
  expect(ulid(new Date(1469918176385), () => bytes)).toBe("01ARYZ6S41TSV4RRFFQ69G5FAV");
});

test("ULIDs sort by time, then by their random part", () => {
  const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  const random = fc.uint8Array({ minLength: 10, maxLength: 10 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(instant, random, instant, random, (one, oneRandom, other, otherRandom) => {
      const [a, b] = [ulid(new Date(one), () => oneRandom), ulid(new Date(other), () => otherRandom)];
      expect(a).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      const order = Math.sign(one - other) || Buffer.compare(oneRandom, otherRandom);
      expect(Math.sign(Number(a > b) - Number(a < b))).toBe(order);
    }),
  );
});

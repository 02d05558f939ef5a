import fc from "fast-check";
import { expect, test } from "vitest";
import { shiftClocks } from "../../../src/upstream/sample/sample-clocks.ts";

const dayMs = 86_400_000;
const referenceDay = "2026-11-01";
const daysOn = (days: number) => new Date(Date.parse(referenceDay) + days * dayMs + 3_600_000);

test("an ISO day, a day without hyphens and epoch seconds and milliseconds move alike, by whole days", () => {
  const moment = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 });
  fc.assert(
    fc.property(moment, fc.integer({ min: -3000, max: 3000 }), (seconds, by) => {
      const iso = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);
      const plain = (at: number) => iso(at).replaceAll("-", "");
      const text = (at: number) =>
        `{"time":${at},"ms":${at}000,"day":"${iso(at)}T10:00:00Z","cell":<td>${plain(at)}</td>}`;
      const moved = seconds + (by * dayMs) / 1000;
      fc.pre(moved >= 1_000_000_000);
      expect(shiftClocks(text(seconds), referenceDay, daysOn(by))).toBe(text(moved));
    }),
  );
});

test.each([
  "20260230",
  "20261301",
  "2026-02-30",
  "120260710",
  "2026071",
  "1.20260710",
  "20260710.5",
  "12345678",
  "v-20260710",
  "0123456789",
  "99991231",
])("%s stays: it is no day, part of a number, or for ever", (text) => {
  expect(shiftClocks(text, referenceDay, daysOn(30))).toBe(text);
});

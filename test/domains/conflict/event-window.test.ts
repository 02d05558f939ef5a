import fc from "fast-check";
import { expect, test } from "vitest";
import { boundOf } from "../../../src/contract/request/request-time.ts";
import { eventWindow } from "../../../src/domains/conflict/event-filter.ts";

const now = new Date("2026-11-20T15:04:05.678Z");
const ms = (instant: string) => BigInt(Date.parse(instant));

test("without bounds the window is from the start of the day 30 days ago to the end of today, UTC", () => {
  expect(eventWindow(0n, 0n, now)).toEqual({
    from: ms("2026-10-21T00:00:00.000Z"),
    to: ms("2026-11-20T23:59:59.999Z"),
  });
});

test("given bounds are taken to the millisecond, only 0 stands for the default", () => {
  const byDefault = eventWindow(0n, 0n, now);
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -5n, max: 5n }),
      (start, end) => {
        const { from, to } = eventWindow(start, end, now);
        const byEnd = end === 0n ? byDefault.from : end - byDefault.to + byDefault.from;
        expect(from).toBe(boundOf(start) ?? byEnd);
        expect(to).toBe(end === 0n ? byDefault.to : end);
      },
    ),
  );
});

test("the default window is the same at every moment of a day", () => {
  const day = {
    min: new Date("2026-11-20T00:00:00.000Z"),
    max: new Date("2026-11-20T23:59:59.999Z"),
    noInvalidDate: true,
  };
  fc.assert(
    fc.property(fc.date(day), (instant) => {
      expect(eventWindow(0n, 0n, instant)).toEqual(eventWindow(0n, 0n, now));
    }),
  );
});

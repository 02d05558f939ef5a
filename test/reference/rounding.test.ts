import { expect, test } from "vitest";
import { scoreOn } from "../../src/domains/resilience/method/scale.ts";
import { rounded } from "../../src/reference/rounding.ts";

test.each([
  [(17.4 / 40) * 100, 0, 44],
  [1.005, 2, 1.01],
  [2.5, 0, 3],
  [-2.5, 0, -2],
  [2.4999, 0, 2],
  [0.28945, 4, 0.2895],
  [-0.1, 0, 0],
  [1e12 + 0.5, 0, 1e12 + 1],
])("%d to %d decimals is %d", (value, decimals, result) => {
  expect(rounded(value, decimals)).toBe(result);
});

test("every half is rounded up on every line from 0 to 100, whatever binary fractions make of it", () => {
  for (let tenths = 50; tenths <= 450; tenths++) {
    // 5 → 0, 45 → 100: in integers, a score is (tenths − 50) / 4.
    expect([tenths, scoreOn({ worst: 5, best: 45 }, tenths / 10)]).toEqual([tenths, Math.floor((tenths - 50 + 2) / 4)]);
  }
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { originalKeys } from "../../src/interceptors/project.ts";
import { Fuel } from "../../src/projection/fuel.ts";
import { serialize } from "../../src/projection/serialize.ts";
import type { Json } from "../../src/projection/value.ts";

const limit = 262_144;
const written = (value: Json) => Buffer.from(serialize(value, new Fuel()), "latin1").toString();

/** The size in the rejection, or 0. */
function rejectedAt(value: Json): number {
  try {
    serialize(value, new Fuel());
    return 0;
  } catch (error) {
    return Number(/^projection_too_large: (\d+) > 262144$/.exec(String((error as Error).message))?.[1]);
  }
}

test("what fits is written as JSON.stringify writes it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      expect(written(value as Json)).toBe(JSON.stringify(value));
    }),
  );
});

test.each<[string, (pad: string) => Json]>([
  ["one string", (pad) => pad],
  ["two byte characters", (pad) => ["é".repeat(100_000), pad]],
  ["four byte characters", (pad) => ["\u{1f600}".repeat(60_000), pad]],
  ["escapes", (pad) => ['\u0001"\\'.repeat(20_000), pad]],
  ["lone surrogates", (pad) => ["\ud800".repeat(40_000), pad]],
  ["long numbers", (pad) => [...Array.from({ length: 10_000 }, (_, index) => index / 7), pad]],
  ["many members", (pad) => ({ rows: Array.from({ length: 20_000 }, () => ({ b: null })), pad })],
  ["empty things", (pad) => [...Array.from({ length: 40_000 }, (_, index) => (index % 2 === 0 ? [] : {})), pad]],
  ["a member's name", (pad) => ({ [`n${pad}`]: true })],
  ["shared parts", (pad) => [Array(100).fill("y".repeat(2000)), pad]],
])("%s: 262144 bytes fit, 262145 do not", (_, make) => {
  const missing = limit - Buffer.byteLength(JSON.stringify(make("")));
  expect(missing).toBeGreaterThan(0);
  expect(serialize(make("x".repeat(missing)), new Fuel())).toHaveLength(limit);
  expect(rejectedAt(make("x".repeat(missing + 1)))).toBe(limit + 1);
});

test("the reported size of a result that is too large is one beyond the limit, at most that of the whole", () => {
  const row = { id: "x".repeat(100) };
  const rows = Array.from({ length: 5000 }, () => row);
  expect(rejectedAt(rows)).toBeGreaterThan(limit);
  expect(rejectedAt(rows)).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(rows)));
});

test("what is larger than memory is given up without being written", () => {
  let value: Json = "x";
  for (let round = 0; round < 200; round++) value = [value, value];
  expect(rejectedAt(value)).toBeLessThan(limit + 400);
});

test("the keys of the projected value are reported: the first fifty of an object, otherwise its type", () => {
  const wide = Object.fromEntries(Array.from({ length: 53 }, (_, index) => [`k${index}`, index]));
  expect(originalKeys(wide)).toEqual([...Object.keys(wide).slice(0, 50), "...<3 more>"]);
  expect(originalKeys({ a: 1, ["__proto__"]: 2 })).toEqual(["a", "__proto__"]);
  expect([[1, 2], 1, "a", null, true].map(originalKeys)).toEqual([
    ["<array length=2>"],
    ["<number>"],
    ["<string>"],
    ["<null>"],
    ["<boolean>"],
  ]);
});

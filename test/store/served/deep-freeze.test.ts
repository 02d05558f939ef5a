import fc from "fast-check";
import { expect, test } from "vitest";
import { deepFreeze } from "../../../src/store/served/stored-dataset.ts";

test("no part of the data can be changed, and no part was changed", () => {
  fc.assert(
    fc.property(fc.object(), (data) => {
      const before = structuredClone(data);
      deepFreeze(data);
      expect(isFrozenThrough(data)).toBe(true);
      expect(data).toEqual(before);
    }),
  );
});

test("bytes are left as they are", () => {
  const data = { bytes: new Uint8Array([1, 2]) };
  deepFreeze(data);
  expect(Object.isFrozen(data)).toBe(true);
});

test("data deeper than the stack is frozen to the bottom", () => {
  const bottom = { list: [1] };
  let data: object = bottom;
  for (let depth = 0; depth < 100_000; depth++) data = { data };
  deepFreeze(data);
  expect(Object.isFrozen(bottom.list)).toBe(true);
});

function isFrozenThrough(value: unknown): boolean {
  return (
    typeof value !== "object" ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozenThrough))
  );
}

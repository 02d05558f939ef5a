import { expect, test } from "vitest";
import { memoryWarnings } from "../../src/cli/setting-warnings.ts";

const mebibyte = 1024 * 1024;

test.each([
  [0, true],
  [384 * mebibyte, false],
  [1024 * mebibyte, true],
  [Number.MAX_SAFE_INTEGER, true],
])("a memory limit of %d bytes is enough, with samples to load: %s", (limit, isLoading) => {
  expect(memoryWarnings(limit, isLoading)).toEqual([]);
});

test.each([
  [1, false, 384],
  [384 * mebibyte - 1, false, 384],
  [512 * mebibyte, true, 1024],
])(
  "a memory limit of %d bytes is a warning with what is needed, with samples to load: %s",
  (limit, isLoading, needed) => {
    expect(memoryWarnings(limit, isLoading)).toEqual([
      `The memory limit is ${Math.floor(limit / mebibyte)} MiB. The process may be killed: set at least ${needed} MiB`,
    ]);
  },
);

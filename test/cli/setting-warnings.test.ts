import { expect, test } from "vitest";
import { memoryWarnings } from "../../src/cli/setting-warnings.ts";

const mebibyte = 1024 * 1024;

test.each([0, 384 * mebibyte, 1024 * mebibyte, Number.MAX_SAFE_INTEGER])(
  "a memory limit of %d bytes is enough",
  (limit) => {
    expect(memoryWarnings(limit)).toEqual([]);
  },
);

test.each([1, 256 * mebibyte, 384 * mebibyte - 1])(
  "a memory limit of %d bytes is a warning with what is needed",
  (limit) => {
    expect(memoryWarnings(limit)).toEqual([
      `The memory limit is ${Math.floor(limit / mebibyte)} MiB. Exports may end the process: set at least 384 MiB`,
    ]);
  },
);

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const growth = fileURLToPath(new URL("../../support/processes/heap-growth.ts", import.meta.url));

test("returns the memory by which the heap has grown, and does nothing if the heap has not grown", () => {
  const said = execFileSync(process.execPath, [growth], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual({ isLittleStored: true, made: true, grown: 0 });
});

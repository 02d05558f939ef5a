import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const growth = fileURLToPath(new URL("../../support/processes/heap-growth.ts", import.meta.url));

test("gives back what the heap has grown by, and leaves a heap that has not grown alone", () => {
  const said = execFileSync(process.execPath, [growth], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual({ isLittleStored: true, made: true, grown: 0 });
});

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigurationError } from "../../src/errors.ts";
import { makeFolder } from "../../src/store/folder.ts";

const root = mkdtempSync(join(tmpdir(), "ids-folder-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a folder is created with its parents, only for its owner if requested, and again without harm", () => {
  const folder = join(root, "a", "b", "c");
  for (let time = 0; time < 2; time++) makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("where no folder can be made, that is said with its path", () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  expect(() => makeFolder(join(file, "below"))).toThrow(ConfigurationError);
  expect(() => makeFolder(join(file, "below"))).toThrow(`The folder ${file} cannot be created (EEXIST)`);
});

test.skipIf(!existsSync("/proc/self"))(
  "a read-only file system does not cause an endless search for the first folder",
  () => {
    expect(() => makeFolder("/proc/none/below")).toThrow("The folder /proc/none cannot be created (ENOENT)");
  },
);

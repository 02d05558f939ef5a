import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { UnusableBackup } from "../../src/errors.ts";
import { verifiedHeader } from "../../src/store/backup/backup-file.ts";
import { openOnce } from "../support/databases.ts";
import { backedUp, newFile, rewritten } from "./backup-rows.ts";

let file: string;
let whole: Buffer;
beforeAll(async () => {
  const database = await openOnce();
  file = await backedUp(database);
  whole = readFileSync(file);
  await database.close();
});

function written(bytes: Uint8Array): string {
  const copy = newFile();
  writeFileSync(copy, bytes);
  return copy;
}

test("a backup is taken as it was written, and in which any one byte is another is refused", async () => {
  expect(await verifiedHeader(written(whole))).toMatchObject({ format: "ids-backup", version: 1, program: "1.0.0" });
  const place = fc.oneof(
    fc.nat(whole.length - 1),
    fc.nat(20),
    fc.nat(120).map((back) => Math.max(0, whole.length - 1 - back)),
  );
  const changed = fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, bits) => {
    const copy = Buffer.from(whole);
    copy[at] = (copy[at] ?? 0) ^ bits;
    await expect(verifiedHeader(written(copy))).rejects.toThrow(UnusableBackup);
  });
  await fc.assert(changed, { numRuns: 150 });
});

test("one that is cut anywhere, or has more bytes, is rejected", async () => {
  const cut = fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
    await expect(verifiedHeader(written(whole.subarray(0, length)))).rejects.toThrow(UnusableBackup);
  });
  await fc.assert(cut, { numRuns: 50 });
  await expect(verifiedHeader(written(Buffer.concat([whole, Buffer.alloc(1)])))).rejects.toThrow(UnusableBackup);
  await expect(verifiedHeader(written(whole.subarray(0, -1)))).rejects.toThrow("truncated");
});

test.each([
  ["nothing", () => Buffer.alloc(0)],
  ["words", () => Buffer.from("create table account ()")],
  ["compressed words", () => gzipSync("create table account ()\n")],
])("%s is not a backup", async (_name, bytes) => {
  await expect(verifiedHeader(written(bytes()))).rejects.toThrow("is not a backup of this program");
});

test("one of a newer format names the program to restore it with", async () => {
  const newer = rewritten(file, (lines) => lines.replace('"version":1', '"version":2'));
  await expect(verifiedHeader(newer)).rejects.toThrow("format 2, which a newer program wrote");
});

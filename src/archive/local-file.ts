import { createHash } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalFile } from "./archive-store.ts";

export type FileParts = AsyncIterable<{ readonly bytes: string | Uint8Array; readonly rows: number }>;

export async function writeLocalFile(path: string, parts: FileParts): Promise<LocalFile & { readonly rows: number }> {
  await using file = await open(path, "w");
  const hash = createHash("sha256");
  let [bytes, rows] = [0, 0];
  for await (const part of parts) {
    const chunk = typeof part.bytes === "string" ? Buffer.from(part.bytes) : part.bytes;
    await file.writeFile(chunk);
    hash.update(chunk);
    bytes += chunk.length;
    rows += part.rows;
  }
  return { path, bytes, rows, sha256: hash.digest("hex") };
}

/** Creates a temporary folder that is deleted with the stack. */
export async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ids-archive-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

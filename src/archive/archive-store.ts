import { createHash } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the file in hexadecimal digits. */
  readonly sha256: string;
}

/** Files of the archive by path, in a folder or an S3 bucket. */
export interface ArchiveStore {
  /** Returns the paths that start with a prefix, in any order. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Returns the content of a file; undefined if the file does not exist. */
  readonly read: (path: string) => Promise<AsyncIterable<Buffer> | undefined>;
  /** Writes or replaces a file atomically. */
  readonly put: (path: string, file: LocalFile) => Promise<void>;
}

export interface ReadBack {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a file and passes each chunk to the callback. Returns undefined if the file does not exist. */
export async function readBack(
  { read }: Pick<ArchiveStore, "read">,
  path: string,
  use: (part: Buffer) => Promise<void> | void = () => {},
): Promise<ReadBack | undefined> {
  const stream = await read(path);
  if (!stream) return undefined;
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const part of stream) {
    hash.update(part);
    bytes += part.length;
    await use(part);
  }
  return { bytes, sha256: hash.digest("hex") };
}

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

/** Creates a temporary folder, which is deleted when the stack is disposed of. */
export async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ids-archive-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Thrown if the archive is unreachable, or a file does not match its manifest. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

import { createHash } from "node:crypto";
import type { Readable } from "node:stream";

/** A file of this machine that is to be archived. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  /** Of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** Files by their paths, with `/` between the parts: a folder, or a bucket. */
export interface ArchiveStore {
  /** The paths that begin so, in no order. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Undefined where there is no such file. */
  readonly read: (path: string) => Promise<Readable | undefined>;
  /** It is there as a whole or not at all, in place of what had its path. */
  readonly put: (path: string, file: LocalFile) => Promise<void>;
}

/** What a file of the archive holds by its bytes. */
export interface ReadBack {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a file and lets each part of it be used; undefined where there is none. */
export async function readBack(
  { read }: Pick<ArchiveStore, "read">,
  path: string,
  use: (part: Buffer) => Promise<void> | void = () => {},
): Promise<ReadBack | undefined> {
  const stream = await read(path);
  if (!stream) return undefined;
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    hash.update(part);
    bytes += part.length;
    await use(part);
  }
  return { bytes, sha256: hash.digest("hex") };
}

import { createHash } from "node:crypto";

export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** Files by their paths, with `/` as separator. The store is a folder or a bucket. */
export interface ArchiveStore {
  /** Returns the paths that start with the prefix, in no particular order. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Returns undefined if the file does not exist. */
  readonly read: (path: string) => Promise<AsyncIterable<Buffer> | undefined>;
  /** Writes or replaces a file atomically. */
  readonly put: (path: string, file: LocalFile) => Promise<void>;
}

export interface ReadBack {
  readonly bytes: number;
  readonly sha256: string;
}

/** Streams a file, passing each chunk to the callback. Returns undefined if the file does not exist. */
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

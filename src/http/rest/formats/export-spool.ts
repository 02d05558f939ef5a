import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { invalidField, Unavailable } from "../../../errors.ts";
import { hourMs } from "../../../reference/duration.ts";
import type { ByteRange } from "../byte-range.ts";
import { fetchShared } from "../shared-fetch.ts";

/** A complete file on disk, which remains readable until it is disposed of. */
export interface SpooledFile extends Disposable {
  readonly length: number;
  /** SHA-256 of the bytes, in base64. */
  readonly digest: string;
  readonly rows: number;
  /** Reads the bytes of a range, or all bytes. */
  readonly read: (range?: ByteRange) => AsyncIterable<Buffer>;
}

/** Writes a file piece by piece, and returns the number of its rows. */
export type WriteFile = (put: (piece: string | Buffer) => Promise<void>) => Promise<number>;

/** Stores files of all pages on disk, so that repeated requests and ranges do not read the rows again. */
export interface ExportSpool {
  /**
   * Returns the file that is stored under a key. If there is none, `write` creates it once for all concurrent requests.
   * `isGone` returns whether the client has disconnected. Throws `InvalidRequest` if the file is too large, and
   * `Unavailable` if the disk is full or the file cannot be created.
   */
  readonly fetch: (key: string, write: WriteFile, isGone?: () => boolean) => Promise<SpooledFile>;
  readonly delete: (key: string) => void;
  readonly clear: () => void;
}

export interface SpoolLimits {
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  readonly ttlMs: number;
}

const spoolLimits: SpoolLimits = { maxFileBytes: 2 * 2 ** 30, maxTotalBytes: 4 * 2 ** 30, ttlMs: hourMs };

/** Bytes per read of a stored file. */
const pieceBytes = 65_536;

interface Stored {
  readonly length: number;
  readonly open: () => SpooledFile;
  /** Closes the file after its last reader. This frees its space on disk, because its name was deleted before. */
  readonly remove: () => void;
}

export function createExportSpool(clock: () => Date, limits = spoolLimits): ExportSpool {
  const files = new LRUCache<string, Stored, () => Promise<Stored>>({
    maxSize: limits.maxTotalBytes,
    sizeCalculation: ({ length }) => Math.max(length, 1),
    ttl: limits.ttlMs,
    perf: { now: () => clock().getTime() },
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: create }) => create(),
    dispose: ({ remove }) => remove(),
  });
  return {
    async fetch(key, write, isGone = () => false) {
      files.purgeStale();
      const stored = await fetchShared(files, key, () => store(write, limits.maxFileBytes), isGone);
      const opened = stored.open();
      // The cache may have evicted the entry while the file was written, and then never disposes of it.
      if (files.peek(key) !== stored) stored.remove();
      return opened;
    },
    delete: (key) => void files.delete(key),
    clear: () => files.clear(),
  };
}

async function store(write: WriteFile, maxBytes: number): Promise<Stored> {
  const path = join(tmpdir(), `ids-export-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600).catch((cause: unknown) => {
    throw new Unavailable("The file cannot be created", { cause });
  });
  try {
    // The file is deleted from its folder while it is open. It remains usable, and if the process is killed, nothing
    // remains on disk.
    await rm(path);
    return readable(file, await writeAll(file, write, maxBytes));
  } catch (error) {
    await file.close();
    throw isDiskFull(error) ? new Unavailable("There is no disk space for the file", { cause: error }) : error;
  }
}

async function writeAll(file: FileHandle, write: WriteFile, maxBytes: number): Promise<Written> {
  const hash = createHash("sha256");
  let length = 0;
  const rows = await write(async (piece) => {
    const bytes = Buffer.from(piece);
    length += bytes.length;
    if (length > maxBytes) {
      const description = `value must be absent, because the file would exceed ${maxBytes} bytes: request pages`;
      throw invalidField("all", description);
    }
    hash.update(bytes);
    await file.appendFile(bytes);
  });
  return { length, digest: hash.digest("base64"), rows };
}

type Written = Pick<SpooledFile, "length" | "digest" | "rows">;

function readable(file: FileHandle, written: Written): Stored {
  let readers = 0;
  let isRemoved = false;
  const closeUnused = () => {
    if (isRemoved && readers === 0) void file.close();
  };
  async function* read({ start, end } = { start: 0, end: written.length - 1 }) {
    for (let position = start; position <= end; ) {
      const wanted = Math.min(pieceBytes, end + 1 - position);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
      if (bytesRead === 0) throw new Error(`A stored file ends at byte ${position} of ${written.length}`);
      yield buffer.subarray(0, bytesRead);
      position += bytesRead;
    }
  }
  return {
    length: written.length,
    open() {
      readers += 1;
      return {
        ...written,
        read,
        [Symbol.dispose]() {
          readers -= 1;
          closeUnused();
        },
      };
    },
    remove() {
      isRemoved = true;
      closeUnused();
    },
  };
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

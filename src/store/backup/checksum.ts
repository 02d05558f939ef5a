import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Transform } from "node:stream";
import { crc32 } from "node:zlib";
import { UnusableBackup } from "../../errors.ts";

/**
 * Returns the last part of a backup, a gzip member with the checksum. It is built without a library, so that its bytes
 * are always the same and can be compared.
 */
export function checksumMember(sha256: string): Buffer {
  const text = Buffer.from(`{"sha256":"${sha256}"}\n`);
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(text.length);
  lengths.writeUInt16LE(~text.length & 0xffff, 2);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(text));
  end.writeUInt32LE(text.length, 4);
  return Buffer.concat([gzipStart, lastStoredBlock, lengths, text, end]);
}

// Gzip header: method deflate, no flags, no time, no level, unknown operating system.
const gzipStart = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const lastStoredBlock = Buffer.from([1]);
const memberBytes = checksumMember("0".repeat(64)).length;

export function summed(): { readonly through: Transform; readonly sha256: () => string } {
  const hash = createHash("sha256");
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, sha256: () => hash.digest("hex") };
}

/** Throws `UnusableBackup` if the file is truncated or any byte differs. */
export async function verifyChecksum(file: string): Promise<void> {
  const end = await lastBytes(file);
  if (!end.bytes.subarray(0, gzipStart.length).equals(gzipStart))
    throw new UnusableBackup("The backup is truncated or has additional data: use a complete copy of it");
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { end: end.start - 1 })) hash.update(chunk);
  if (!end.bytes.equals(checksumMember(hash.digest("hex"))))
    throw new UnusableBackup(
      "The backup was changed since it was written (its checksum differs): use another copy of it",
    );
}

async function lastBytes(file: string): Promise<{ readonly start: number; readonly bytes: Buffer }> {
  const handle: FileHandle = await open(file);
  try {
    const { size } = await handle.stat();
    const start = size - memberBytes;
    if (start <= 0) return { start: 0, bytes: Buffer.alloc(0) };
    const { buffer } = await handle.read(Buffer.alloc(memberBytes), 0, memberBytes, start);
    return { start, bytes: buffer };
  } finally {
    await handle.close();
  }
}

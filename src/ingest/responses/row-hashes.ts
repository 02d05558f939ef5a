import { hash } from "node:crypto";

const bytesPerRow = 8;

/** Returns the first eight bytes of the SHA-256 of each row, in their order. */
export function hashesOf(rows: readonly string[]): Buffer<ArrayBuffer> {
  const hashes = Buffer.alloc(rows.length * bytesPerRow);
  for (const [index, row] of rows.entries())
    hash("sha256", row, "buffer").copy(hashes, index * bytesPerRow, 0, bytesPerRow);
  return hashes;
}

export function countHashes({ length }: Buffer): number {
  return length / bytesPerRow;
}

/** Returns each hash as a number, so that hashes can be compared in a set. */
export function readHashes(hashes: Buffer): bigint[] {
  return Array.from({ length: countHashes(hashes) }, (_, index) => hashes.readBigUInt64BE(index * bytesPerRow));
}

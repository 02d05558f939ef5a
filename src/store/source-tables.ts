import type { ColumnType, Generated } from "kysely";

/** Responses of sources and what was read from them. */
export interface SourceTables {
  source_body: SourceBodyTable;
  source_digest: SourceDigestTable;
  source_read: SourceReadTable;
  source_response: SourceResponseTable;
}

/** Bytes by their SHA-256 in hexadecimal digits: responses of sources, and the hashes of the rows of a read. */
interface SourceBodyTable {
  sha256: string;
  size: number;
  /** The bytes, compressed with Zstandard. Null if only their digest is stored. */
  body: Buffer | null;
  stored_size: number;
  stored_at: Date;
}

/** A successful read of a source. Versions of the dataset contain its rows from this one until the next read. */
interface SourceReadTable {
  dataset: string;
  source: string;
  generation: ColumnType<string, number | bigint, number | bigint>;
  origin: "live" | "sample";
  at: Date;
  /** Version of the program that parsed the responses. */
  program: string;
  content_hash: string;
  rows: number;
  /** Time when the bytes were last parsed again and gave the same rows. */
  verified_at: Generated<Date | null>;
}

interface SourceResponseTable {
  dataset: string;
  source: string;
  generation: ColumnType<string, number | bigint, number | bigint>;
  /** Number of the request in the read, from 0. */
  position: number;
  url: string;
  /** The form or JSON body of a POST. Null for a GET. */
  posted: string | null;
  /** HTTP status; null if there was no response. */
  status: number | null;
  headers: ColumnType<Readonly<Record<string, string>>, string, string>;
  at: Date;
  /** Digest of the body; null if the response was not good. */
  sha256: string | null;
  /** Whether secrets were removed, so that the digest differs from that of the received bytes. */
  redacted: boolean;
}

interface SourceDigestTable {
  dataset: string;
  source: string;
  /** Time of the read. */
  at: Date;
  /** SHA-256 of the digests of the responses in the read. */
  digest: string;
}

import { z } from "zod";

/** The first line of a backup. */
export interface BackupHeader {
  readonly format: typeof backupFormat;
  /** Of the format. */
  readonly version: number;
  /** Version of the program that wrote it. */
  readonly program: string;
  readonly database: "postgres" | "embedded";
  readonly at: string;
  /** Those that the store had, in order. */
  readonly migrations: readonly string[];
  readonly secret: BackedUpSecret;
}

/** The keys under which the store's secrets are encrypted, where the data folder keeps them; else what tells that the right ones are set. */
export type BackedUpSecret = { readonly keys: readonly string[] } | { readonly fingerprints: readonly string[] };

export const backupFormat = "ids-backup";
export const backupVersion = 1;

const anyVersion = z.object({ format: z.literal(backupFormat), version: z.int() });
const thisVersion = anyVersion.extend({
  program: z.string(),
  database: z.enum(["postgres", "embedded"]),
  at: z.iso.datetime(),
  migrations: z.array(z.string()),
  secret: z.union([z.object({ keys: z.array(z.string()) }), z.object({ fingerprints: z.array(z.string()) })]),
});

/** Reads the first line: a newer format's version is all that is known of it. */
export function parseHeader(line: string): BackupHeader | { readonly newer: number } | undefined {
  const value = jsonOf(line);
  const known = anyVersion.safeParse(value).data;
  if (known !== undefined && known.version > backupVersion) return { newer: known.version };
  return thisVersion.safeParse(value).data;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

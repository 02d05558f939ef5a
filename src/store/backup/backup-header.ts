import { z } from "zod";

/** The first line of a backup. */
export interface BackupHeader {
  readonly format: typeof backupFormat;
  readonly version: number;
  readonly program: string;
  readonly database: "postgres" | "embedded";
  readonly at: string;
  readonly migrations: readonly string[];
  readonly secret: BackedUpSecret;
}

/** The keys of a secret in the data folder. For other keys, fingerprints show later whether the right ones are set. */
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

/** Parses the first line of a backup. If its format version is too new for this program, only that is returned. */
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

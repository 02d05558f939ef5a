import { z } from "zod";

/** Name of the file that says what a day is made of; without it the day is not there. Programs that read the folder pass over names with `_`. */
export const manifestName = "_manifest.json";

/** Name of the file by which a day is put back into a store. */
export const versionsName = "_versions.ndjson.gz";

const text = z.string();
const count = z.number().int().nonnegative();

const fileSchema = z.object({
  /** Below the folder of the day. */
  path: text.regex(/^\w[\w.=-]*(\/\w[\w.=-]*)?$/),
  rows: count,
  bytes: count,
  sha256: text.regex(/^[0-9a-f]{64}$/),
});

const columnSchema = z.object({ name: text, type: text, unit: text.optional(), description: text.optional() });

const tableSchema = fileSchema.extend({
  table: text,
  /** Names of the columns that identify a row. */
  key: z.array(text),
  columns: z.array(columnSchema),
});

export const manifestSchema = z.object({
  form: z.literal(1),
  dataset: text,
  subject: text,
  /** UTC, YYYY-MM-DD. */
  day: text.regex(/^\d{4}-\d{2}-\d{2}$/),
  origin: z.enum(["live", "sample"]),
  generation: count,
  storedAt: text,
  /** When each source was read last. */
  readAt: z.record(text, text),
  program: text,
  /** Versions of the methods by which figures were computed. */
  methodology: z.array(text),
  licenses: z.array(z.object({ source: text, kind: text, terms: text })),
  attribution: text,
  /** Sources, and ids of rows, that may not be passed on and were left out. */
  withheld: z.array(text),
  tables: z.array(tableSchema),
  /** Absent where what was left out would be in it. */
  versions: fileSchema.optional(),
  writtenAt: text,
});

/** What a day of a dataset is made of. */
export type Manifest = z.output<typeof manifestSchema>;
export type ArchivedFile = z.output<typeof fileSchema>;
export type ArchivedTable = z.output<typeof tableSchema>;

/** Every file of a day beside the manifest. */
export function filesOf({ tables, versions }: Manifest): readonly ArchivedFile[] {
  return versions ? [...tables, versions] : tables;
}

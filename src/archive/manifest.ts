import { z } from "zod";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";

/** Name of the manifest. A day without one is not archived. Query engines ignore files whose name starts with `_`. */
export const manifestName = "_manifest.json";

/** Name of the file with versions, from which a store can restore the day. */
export const versionsName = "_versions.ndjson.gz";

const text = z.string();
const count = z.number().int().nonnegative();

const fileSchema = z.object({
  /** Path within the folder of the day. */
  path: text.regex(/^\w[\w.=-]*(\/\w[\w.=-]*)?$/),
  rows: count,
  bytes: count,
  sha256: text.regex(/^[0-9a-f]{64}$/),
});

const columnSchema = z.object({ name: text, type: text, unit: text.optional(), description: text.optional() });

const tableSchema = fileSchema.extend({
  table: text,
  key: z.array(text),
  columns: z.array(columnSchema),
});

export const manifestSchema = z.object({
  form: z.literal(1),
  dataset: text,
  subject: text,
  /** UTC day in the format YYYY-MM-DD. */
  day: text.regex(/^\d{4}-\d{2}-\d{2}$/),
  origin: z.enum(["live", "sample"]),
  generation: count,
  storedAt: text,
  readAt: z.record(text, text),
  program: text,
  methodology: z.array(text),
  licenses: z.array(z.object({ source: text, kind: text, terms: text })),
  attribution: text,
  /** Sources and row IDs that the archive leaves out, because their terms do not allow redistribution. */
  withheld: z.array(text),
  tables: z.array(tableSchema),
  /** File with versions; undefined if rows were withheld, because the versions would contain them. */
  versions: fileSchema.optional(),
  writtenAt: text,
});

export type Manifest = z.output<typeof manifestSchema>;
export type ArchivedFile = z.output<typeof fileSchema>;
export type ArchivedTable = z.output<typeof tableSchema>;

export function filesOf({ tables, versions }: Manifest): readonly ArchivedFile[] {
  return versions ? [...tables, versions] : tables;
}

export function licensesBehind(dataset: ScheduledDataset, all: readonly ScheduledDataset[]): Manifest["licenses"] {
  const sources = datasetsBehind(dataset, all).flatMap((each) => each.sources);
  const named = sources.map(({ name, license }) => [name, { source: name, kind: license.kind, terms: license.terms }]);
  return Object.values(Object.fromEntries(named));
}

/** Returns a dataset with its inputs, at any depth. */
export function datasetsBehind(
  dataset: ScheduledDataset,
  all: readonly ScheduledDataset[],
): readonly ScheduledDataset[] {
  return [...new Set(madeFrom(dataset, all))];
}

function madeFrom(dataset: ScheduledDataset, all: readonly ScheduledDataset[]): ScheduledDataset[] {
  const inputs = (dataset.reads ?? []).flatMap(({ name }) => all.find((each) => each.name === name) ?? []);
  return [dataset, ...inputs.flatMap((input) => madeFrom(input, all))];
}

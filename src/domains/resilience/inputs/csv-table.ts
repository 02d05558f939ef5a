import { parse as parseCsv } from "csv-parse/sync";
import { z } from "zod";
import { UpstreamError } from "../../../errors.ts";

/** A line of a table by its columns. */
export type Line = Readonly<Record<string, string>>;

const linesSchema = z.array(z.record(z.string(), z.string()));

/** The lines of a CSV with at least these columns; anything else is no answer of that source. */
export function linesOf(source: string, text: unknown, columns: readonly string[]): readonly Line[] {
  const lines = readLines(source, z.string().parse(text));
  const missing = columns.filter((column) => lines[0]?.[column] === undefined);
  if (missing.length > 0) throw new UpstreamError(`${source}: no column ${missing.join(", ")}`);
  return lines;
}

function readLines(source: string, text: string): readonly Line[] {
  try {
    return linesSchema.parse(parseCsv(text, { bom: true, trim: true, columns: true, skipEmptyLines: true }));
  } catch (cause) {
    throw new UpstreamError(`${source} is no CSV`, { cause });
  }
}

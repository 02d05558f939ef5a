import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

/** The rows of a table of this folder, by the names of its columns. */
export function table<Column extends string>(name: string): Readonly<Record<Column, string>>[] {
  return parse(readFileSync(new URL(`${name}.csv`, import.meta.url), "utf8"), { columns: true });
}

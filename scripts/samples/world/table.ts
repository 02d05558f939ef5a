import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

/** Returns the rows of a table in this folder, by column name. */
export function table<Column extends string>(name: string): Readonly<Record<Column, string>>[] {
  return parse(readFileSync(new URL(`${name}.csv`, import.meta.url), "utf8"), { columns: true });
}

import type { DescMessage } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { StoredRows } from "../store/history/versions.ts";

/** The properties of a dataset that define its storage. */
interface Stored {
  readonly message?: DescMessage;
  readonly parts?: readonly DescMessage[];
  readonly storedTables?: readonly string[];
}

/** Returns the rows of a dataset whose earlier versions are retained. */
export function storedRows({ message, parts = [], storedTables = [] }: Stored): readonly StoredRows[] {
  const types = [...(message ? [message] : []), ...parts].map(({ typeName }) => typeName);
  const ofTables = storedTables.map((table) => ({ table }));
  return types.length > 0 ? [{ table: "snapshot", where: sql`type = any(${types})` }, ...ofTables] : ofTables;
}

/** Returns the tables whose earlier versions are retained. */
export function versionedTables(datasets: readonly Stored[]): readonly string[] {
  return [...new Set(["dataset", ...datasets.flatMap((dataset) => storedRows(dataset).map(({ table }) => table))])];
}

/** Returns whether the dataset can be read as of an earlier time. */
export function isStored(dataset: Stored): boolean {
  return storedRows(dataset).length > 0;
}

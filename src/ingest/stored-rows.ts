import type { DescMessage } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { StoredRows } from "../store/history/versions.ts";

interface Stored {
  readonly message?: DescMessage;
  readonly parts?: readonly DescMessage[];
  readonly storedTables?: readonly string[];
}

export function storedRows({ message, parts = [], storedTables = [] }: Stored): readonly StoredRows[] {
  const types = [...(message ? [message] : []), ...parts].map(({ typeName }) => typeName);
  const ofTables = storedTables.map((table) => ({ table }));
  return types.length > 0 ? [{ table: "snapshot", where: sql`type = any(${types})` }, ...ofTables] : ofTables;
}

export function versionedTables(datasets: readonly Stored[]): readonly string[] {
  return [...new Set(["dataset", ...datasets.flatMap((dataset) => storedRows(dataset).map(({ table }) => table))])];
}

export function isStored(dataset: Stored): boolean {
  return storedRows(dataset).length > 0;
}

import type { DescMessage } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { KeptRows } from "../store/history/versions.ts";

/** Where a dataset keeps what it is. */
interface Stored {
  readonly message?: DescMessage;
  readonly parts?: readonly DescMessage[];
  readonly keptTables?: readonly string[];
}

/** The rows of a dataset of which earlier versions are kept. */
export function keptRows({ message, parts = [], keptTables = [] }: Stored): readonly KeptRows[] {
  const types = [...(message ? [message] : []), ...parts].map(({ typeName }) => typeName);
  const ofTables = keptTables.map((table) => ({ table }));
  return types.length > 0 ? [{ table: "snapshot", where: sql`type = any(${types})` }, ...ofTables] : ofTables;
}

/** The tables of which earlier versions are kept. */
export function versionedTables(datasets: readonly Stored[]): readonly string[] {
  return [...new Set(["dataset", ...datasets.flatMap((dataset) => keptRows(dataset).map(({ table }) => table))])];
}

/** Whether it can be read as of an earlier moment. */
export function isKept(dataset: Stored): boolean {
  return keptRows(dataset).length > 0;
}

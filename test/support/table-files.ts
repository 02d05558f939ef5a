import { catalog, type Operation } from "../../src/contract/catalog.ts";
import type { FileFormat } from "../../src/contract/file-format.ts";
import { type Table, tablesOf } from "../../src/contract/tables.ts";
import type { TestApp } from "./app.ts";
import { needsOwn, placedQuery } from "./needed-query.ts";

/** A table that the examples of the contract suffice to read. */
export interface ReadTable {
  readonly name: string;
  readonly operation: Operation;
  readonly table: Table;
}

export const examplesSuffice: readonly Operation[] = catalog.filter(
  (operation) => operation.read && operation.access.scope === "" && !needsOwn(operation),
);

export const readTables: readonly ReadTable[] = examplesSuffice
  .filter(({ path }) => !path.startsWith("/api/account/"))
  .flatMap((operation) =>
    tablesOf(operation).map((table) => ({ name: `${operation.name} ${table.name}`, operation, table })),
  );

/** A file of a table. CSV is raw, unless `parameters` say otherwise. Throws if it is rejected. */
export async function tableFile(
  app: TestApp,
  key: string,
  { operation, table }: ReadTable,
  format: FileFormat,
  parameters: Readonly<Record<string, string>> = format === "csv" ? { raw: "true" } : {},
): Promise<Buffer> {
  const path = placedQuery(operation);
  const query = new URLSearchParams({ format, rows: table.name, ...parameters });
  const response = await app.get(`${path}${path.includes("?") ? "&" : "?"}${query}`, { key });
  if (!response.ok) throw new Error(`${format} of ${path}: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

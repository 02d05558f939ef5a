import { catalog, type Operation } from "../../src/contract/catalog.ts";
import { type Paging, pagingOf } from "../../src/contract/paging.ts";

/**
 * Returns the paged operations, each with its path, cursors and list. `domainOf` names a service's member of the
 * client.
 */
export function pagingTable(domainOf: (typeName: string) => string): string[] {
  const rows = catalog.flatMap((operation) => {
    const paging = pagingOf(operation);
    return paging ? [pagingRow(operation, paging, domainOf(operation.method.parent.typeName))] : [];
  });
  return [
    "/** Every paged operation: its path, where the next cursor goes and stands, what a page lists, and what says whether there are more. */",
    "export const paging = {",
    ...rows,
    "} as const;",
  ];
}

function pagingRow({ method, path }: Operation, { cursor, next, items, more }: Paging, domain: string): string {
  // The query and the message share one name.
  if (cursor.jsonName !== cursor.name) throw new Error(`${method.name} has no parameter ${cursor.name} of one word`);
  const names = { cursor: cursor.name, next: next.map(({ localName }) => localName), items: items.localName };
  const row = { path, ...names, ...(more ? { more: more.localName } : {}) };
  return `  ${JSON.stringify(`${domain}.${method.localName}`)}: ${JSON.stringify(row)},`;
}

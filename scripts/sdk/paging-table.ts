import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { operation as operationOption, type Page } from "../../gen/es/ids/options/v1/options_pb.ts";
import { catalog, type Operation } from "../../src/contract/catalog.ts";
import { tablesOf } from "../../src/contract/tables.ts";

/** The operations that are paged, each with the path, the cursors and the list; `domainOf` names a service's member of the client. */
export function pagingTable(domainOf: (typeName: string) => string): string[] {
  const rows = catalog.flatMap((operation) => {
    const { page } = getOption(operation.method, operationOption);
    return page ? [pagingRow(operation, page, domainOf(operation.method.parent.typeName))] : [];
  });
  return [
    "/** Every paged operation: its path, where the next cursor goes and stands, and what a page lists. */",
    "export const paging = {",
    ...rows,
    "} as const;",
  ];
}

function pagingRow(operation: Operation, { cursor, nextCursor }: Page, domain: string): string {
  const { method, path } = operation;
  const parameter = method.input.fields.find(({ name }) => name === cursor);
  // One name serves the query and the message.
  if (parameter?.jsonName !== cursor) throw new Error(`${method.name} has no parameter ${cursor} of one word`);
  const [table] = tablesOf(operation);
  const items = method.output.fields.find(
    ({ fieldKind, jsonName }) => fieldKind === "list" && jsonName === table?.name,
  );
  if (!items?.message) throw new Error(`The first table of ${method.name} must be its items`);
  const row = { path, cursor, next: jsonPath(method.output, nextCursor), items: items.localName };
  return `  ${JSON.stringify(`${domain}.${method.localName}`)}: ${JSON.stringify(row)},`;
}

function jsonPath(output: DescMessage, path: string): string[] {
  let message: DescMessage | undefined = output;
  return path.split(".").map((name) => {
    const field: DescField | undefined = message?.fields.find((each) => each.name === name);
    if (!field) throw new Error(`${output.typeName} has no field ${path}`);
    message = field.message;
    return field.localName;
  });
}

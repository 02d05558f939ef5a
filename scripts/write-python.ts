// Writes the contract for the Python package: its messages as types, and its operations as methods.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getOption } from "@bufbuild/protobuf";
import { comments } from "../gen/es/comments.ts";
import { field as fieldOption, TimeEncoding } from "../gen/es/ids/options/v1/options_pb.ts";
import { catalog, kebab, type Operation } from "../src/contract/catalog.ts";
import { eventBodies } from "../src/contract/event-types.ts";
import { offeredFormats } from "../src/contract/file-format.ts";
import { type Paging, pagingOf } from "../src/contract/paging.ts";
import { tablesOf } from "../src/contract/tables.ts";
import { docstring, keywords, nameOf, type Types, typeOf, widePaths, writtenTypes } from "./python/message-types.ts";
import { operationParameters } from "./sdk/operation-parameters.ts";

const [out = "sdk/python/src/ids_client"] = process.argv.slice(2);

/** A parameter of an operation. */
interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly text: string;
}

const types: Types = new Map();
const methods = catalog.flatMap(method);
// Only the types that the methods name: writing them adds the types that they refer to.
const named = [...types.keys()];
const head = "# Written by `make generate`.";
await mkdir(out, { recursive: true });
await write("operations.py", [
  head,
  '"""Every operation of the contract, as a member of the client."""',
  "",
  "from __future__ import annotations",
  "",
  "from collections.abc import Sequence",
  "from datetime import date",
  "from typing import Literal",
  "",
  "from .calls import call, read",
  `from .messages import (\n${named.map((name) => `    ${name},`).join("\n")}\n)`,
  "from .tables import paged_table_read, table_read",
  "from .transport import Settings",
  "",
  "",
  "class Operations:",
  '    """Every operation of the contract."""',
  "",
  "    @property",
  "    def settings(self) -> Settings:",
  '        """How calls are made."""',
  "        raise NotImplementedError",
  ...methods,
]);
for (const desc of eventBodies) nameOf(types, desc, false);
await write("messages.py", [
  head,
  '"""What operations take and answer, as JSON has it; int64 are numbers in answers."""',
  "",
  "from collections.abc import Sequence",
  "from typing import Any, Literal, TypedDict",
  "",
  "from ._typing import NotRequired",
  "",
  ...writtenTypes(types),
]);

async function write(name: string, lines: readonly string[]): Promise<void> {
  await writeFile(join(out, name), `${lines.join("\n").trimEnd()}\n`);
}

function method(operation: Operation): string[] {
  const { method: desc } = operation;
  const listed = parametersOf(operation);
  const response = nameOf(types, desc.output, false);
  return [
    "",
    ...decorator(operation),
    `    def ${snake(desc.name)}(`,
    "        self,",
    ...(listed.length > 0 ? ["        *,"] : []),
    ...listed
      .map((each) => `        ${each.name}: ${each.isNeeded ? each.type : `${each.type} | None = None`},`)
      .map(unquoted),
    `    ) -> ${response}:`,
    ...docstring(described(operation, listed), "        "),
    "        raise NotImplementedError",
  ];
}

function described({ method: desc }: Operation, parameters: readonly Parameter[]): string {
  const text = comments[`${desc.parent.typeName}.${desc.name}`] ?? desc.name;
  if (parameters.length === 0) return text;
  const lines = parameters.map(({ name, text: words }) => `    ${name}: ${words.replaceAll("\n", "\n        ")}`);
  return `${text}\n\nArgs:\n${lines.join("\n")}`;
}

function decorator(operation: Operation): string[] {
  const { method: desc, path, verb } = operation;
  const paths = widePaths(desc.output).map(tuple);
  const paging = pagingOf(operation);
  const members = [
    ...(paging ? pages(paging) : []),
    ...(verb !== "GET" && operation.read ? ["read=True"] : []),
    ...(desc.output.field.note && isTable(operation) ? ["explained=True"] : []),
    ...(paths.length > 0 ? [`wide=${`(${paths.join(", ")},)`}`] : []),
  ];
  const place = verb === "GET" ? [JSON.stringify(path)] : [JSON.stringify(verb), JSON.stringify(path)];
  return [`    @${kind(operation)}(${[...place, ...members].join(", ")})`];
}

function kind(operation: Operation): string {
  if (operation.verb !== "GET") return "call";
  if (!isTable(operation)) return "read";
  return pagingOf(operation) ? "paged_table_read" : "table_read";
}

function isTable(operation: Operation): boolean {
  return offeredFormats(tablesOf(operation)).length > 0;
}

/** Returns the fields of a page that contain its items and its cursors. */
function pages({ cursor, next, items, more }: Paging): string[] {
  return [
    `item=${nameOf(types, items.message, false)}`,
    `items=${JSON.stringify(items.jsonName)}`,
    `cursor=${JSON.stringify(cursor.name)}`,
    `next_cursor=${tuple(next.map(({ jsonName }) => jsonName))}`,
    ...(more ? [`more=${JSON.stringify(more.jsonName)}`] : []),
  ];
}

function parametersOf(operation: Operation): Parameter[] {
  return operationParameters(operation).map(({ name, field, isNeeded, isTime: isPlainTime, text }) => {
    // Python's style guide appends an underscore to keywords. The client removes it.
    const own = keywords.has(name) ? `${name}_` : name;
    if (!field) return { name: own, type: isPlainTime ? "date | str" : "str", isNeeded, text };
    const isTime = operation.queried && getOption(field, fieldOption).time !== TimeEncoding.UNSPECIFIED;
    const plain = typeOf(types, field, true);
    return { name: own, type: isTime ? `date | ${plain === "int" ? "int | str" : plain}` : plain, isNeeded, text };
  });
}

function tuple(names: readonly string[]): string {
  return `(${names.map((name) => JSON.stringify(name)).join(", ")},)`;
}

/**
 * Removes the quotes from names of types in a function's annotations, which are not evaluated. Values retain their
 * quotes.
 */
function unquoted(line: string): string {
  return line.replaceAll(/"([A-Z]\w*)"/g, (quoted, name: string) => (types.has(name) ? name : quoted));
}

function snake(name: string): string {
  return kebab(name).replaceAll("-", "_");
}

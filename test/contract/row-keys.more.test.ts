import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { needsOwn, placedQuery } from "../support/needed-query.ts";
import { fieldsAlong, responseTables } from "../support/response-tables.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
}, 60_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const reads = catalog.filter((operation) => operation.read && !needsOwn(operation));
const listed = responseTables.filter(({ rows }) => rows.path !== "" && rows.key.length > 0);
const tables = reads.flatMap((operation) =>
  listed.filter(({ output }) => output === operation.method.output).map((table) => ({ ...table, operation })),
);

/** A row and what stands above it, each with the beginning of its columns' names; the nearest first. */
type Row = readonly (readonly [prefix: string, value: unknown])[];

test.each(tables)("the key of $at distinguishes the samples' rows", async ({ operation, rows, output }) => {
  const response = await app.get(placedQuery(operation));
  expect(response.status).toBe(200);
  const names = (fieldsAlong(output, rows.path) ?? []).map(({ jsonName }) => jsonName);
  const found = rowsBelow(names, "", [["", await response.json()]], rows.mapKey);
  const keys = found.map((row) => JSON.stringify(rows.key.map((column) => cellOf(row, column))));
  expect(keys.filter((key, place) => key.includes("null") || keys.indexOf(key) !== place)).toEqual([]);
});

function rowsBelow([name, ...names]: readonly string[], prefix: string, above: Row, mapKey: string): Row[] {
  if (name === undefined) return [[["", above[0]?.[1]], ...above.slice(1)]];
  const value = valueAt(above[0]?.[1], name);
  if (value === undefined) return [];
  const below = `${prefix}${name}.`;
  if (Array.isArray(value)) return value.flatMap((each) => rowsBelow(names, below, [[below, each], ...above], mapKey));
  if (names.length > 0 || mapKey === "") return rowsBelow(names, below, [[below, value], ...above], mapKey);
  return Object.entries(Object(value)).map(([key, each]) => [["", each], ["", { [mapKey]: key }], ...above]);
}

function cellOf(row: Row, column: string): unknown {
  for (const [prefix, value] of row) {
    const cell = column.startsWith(prefix) ? valueAt(value, column.slice(prefix.length)) : undefined;
    if (cell !== undefined) return cell;
  }
  return undefined;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce((at: unknown, name) => (at ? Object(at)[name] : undefined), value);
}

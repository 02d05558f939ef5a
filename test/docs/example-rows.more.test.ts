import { expect, onTestFinished, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import type { JsonObject } from "../../src/contract/request/body.ts";
import { type Table, tablesOf } from "../../src/contract/tables.ts";
import { operationOrigins } from "../../src/domains/index.ts";
import { membersOf } from "../../src/pages/reference/code-samples.ts";
import { exampleAddress, exampleRequest } from "../../src/pages/reference/example-request.ts";
import { startApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";

const maxCharacters = 40;

/** The known cells of the first row of a table, as short texts. */
function firstRow({ rowsIn, columns }: Table, response: JsonObject, request: JsonObject): Record<string, string> {
  const [place] = rowsIn(response, request);
  const cells = columns.map(({ name, read }): [string, string] => {
    const value = place ? read(place) : null;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return [name, text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text];
  });
  return Object.fromEntries(cells.filter(([, text]) => !["null", "", "[]", "{}"].includes(text)));
}

test("the examples of data rows are the first rows of the sample, shortened", async () => {
  const database = await openLoaded();
  onTestFinished(database.close);
  await using app = await startApp(database);
  const key = await app.key("enterprise");
  const rows: Record<string, object> = {};
  const ofDatasets = new Set(operationOrigins.map(({ method }) => method));
  for (const operation of catalog.filter(({ queried, method }) => queried && ofDatasets.has(method))) {
    const request = exampleRequest(operation);
    const response = await app.get(exampleAddress(operation, request), { key });
    if (!response.ok) continue;
    const body = (await response.json()) as JsonObject;
    const query = membersOf(request.inQuery, "jsonName") as JsonObject;
    for (const table of tablesOf(operation)) rows[`${operation.name} ${table.name}`] = firstRow(table, body, query);
  }
  // `vitest -u` writes it again.
  await expect(`${JSON.stringify(rows, null, 1)}\n`).toMatchFileSnapshot("../../gen/example-rows.json");
}, 120_000);

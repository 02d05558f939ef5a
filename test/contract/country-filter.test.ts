import type { JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Role } from "../../gen/es/ids/options/v1/options_pb.ts";
import { catalog } from "../../src/contract/catalog.ts";
import type { JsonObject } from "../../src/contract/request/body.ts";
import { countryParameter, twinOfCountry } from "../../src/contract/request/country-parameter.ts";
import { isRequired } from "../../src/contract/rules/field-rules.ts";
import { tablesOf } from "../../src/contract/tables.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { placedQuery } from "../support/needed-query.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** Reads of the world whose rows are of many countries, and that may be asked for one of them. */
const filtered = catalog.flatMap((operation) => {
  const { method, read, access } = operation;
  const requested = twinOfCountry(method.input) ?? method.input.fields.find(({ name }) => name === countryParameter);
  if (!read || !requested || isRequired(requested) || access.scope !== "") return [];
  const tables = tablesOf(operation).flatMap((table) => {
    const column = table.columns.find(({ role }) => role === Role.COUNTRY);
    return column ? [{ rowsIn: table.rowsIn, column }] : [];
  });
  return tables.length > 0 ? [{ operation, tables }] : [];
});

test("reads whose rows are of countries understand one", () => {
  expect(filtered.length).toBeGreaterThan(8);
});

test.each(filtered.map((each) => [each.operation.name, each] as const))(
  "%s lists only the rows of one country",
  async (_, { operation, tables }) => {
    const path = placedQuery(operation);
    const codesIn = (body: JsonObject): JsonValue[][] =>
      tables.map(({ rowsIn, column }) => rowsIn(body, {}).map((place) => column.read(place)));
    const sendRequest = async (country: string) =>
      app.json<JsonObject>(`${path}${path.includes("?") ? "&" : "?"}country=${country}`);
    const whole = codesIn(await app.json<JsonObject>(path));
    const listedCodes = whole.flat().filter((each) => each !== null);
    // Rows that are not grouped by country have an empty code.
    const code = listedCodes.find((each) => each !== "") ?? listedCodes[0];
    expect(code).toBeDefined();
    const some = codesIn(await sendRequest(String(code)));
    expect(some.flat().length).toBeGreaterThan(0);
    for (const [index, codes] of some.entries()) {
      expect(new Set(codes).size).toBeLessThan(2);
      const listed = whole[index]?.filter((each) => each === code).length;
      expect(codes.length).toBeGreaterThanOrEqual(listed ?? 0);
    }
  },
);

test("EU gas storage rejects a country, which its source does not distinguish", async () => {
  const path = "/api/economic/v1/get-eu-gas-storage";
  expect(await app.rejected(`${path}?country=Germany`)).toEqual(["country"]);
  expect(await app.json(`${path}?country=eu`)).toEqual(await app.json(path));
});

test("a country's place in the resilience ranking is that of the whole ranking", async () => {
  const path = "/api/resilience/v1/get-resilience-ranking";
  interface Ranking {
    readonly items: readonly { readonly countryCode: string }[];
    readonly total: number;
  }
  const whole = await app.json<Ranking>(path);
  const { countryCode } = whole.items[7] ?? { countryCode: "" };
  const one = await app.json<Ranking>(`${path}?country=${countryCode}`);
  expect(one).toEqual({ ...whole, items: [whole.items[7]], greyedOut: [] });
  expect(await app.rejected(`${path}?country_code=ZZ`)).toEqual(["country_code"]);
});

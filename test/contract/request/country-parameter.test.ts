import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { twinOfCountry } from "../../../src/contract/request/country-parameter.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { neededParameters } from "../../support/needed-query.ts";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  key = await app.key("operator");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const withTwin = catalog.flatMap((operation) => {
  const twin = operation.read ? twinOfCountry(operation.method.input) : undefined;
  return twin ? [[operation.name, operation, twin.name] as const] : [];
});

test("reads about one country have a twin of the name that they specify", () => {
  expect(withTwin.length).toBeGreaterThan(10);
});

describe.each(withTwin)("%s", (_, operation, twin) => {
  const needed = Object.entries(neededParameters(operation)).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const sendRequest = async (parameters: Readonly<Record<string, string>>) => {
    const rest = needed.filter(([name]) => name !== twin);
    const query = new URLSearchParams([...rest, ...Object.entries(parameters)]);
    const response = await app.get(`${operation.path}?${query}`, { key, headers: { Prefer: "handling=strict" } });
    return { status: response.status, etag: response.headers.get("etag"), body: await response.json() };
  };
  const code = twin === "reporting_country" ? "276" : "DE";

  test("answers the same whatever the form of the country", async () => {
    const specified = await sendRequest({ [twin]: code });
    for (const country of ["DE", "de", "DEU", "276", "Germany", " gErMaNy "])
      expect(await sendRequest({ country }), country).toEqual(specified);
    expect(await sendRequest({ country: "Germany", [twin]: code })).toEqual(specified);
  });

  test("rejects an unknown country, and two that differ", async () => {
    const rejected = (description: string) => ({
      status: 400,
      body: { violations: [{ field: "country", description }] },
    });
    for (const country of ["Atlantis", "ZZ", "999", "x".repeat(5_000), "__proto__"])
      expect(await sendRequest({ country })).toMatchObject(
        rejected("value must be a country: ISO 3166-1 alpha-2, alpha-3 or numeric code, or English short name"),
      );
    expect(await sendRequest({ country: "France", [twin]: code })).toMatchObject(
      rejected(`value must not be another country than that of ${twin}`),
    );
  });
});

test("a country without a number is refused where numbers are asked for", async () => {
  const response = await app.get("/api/trade/v1/get-trade-flows?country=XK", { key });
  expect([response.status, await response.json()]).toEqual([
    400,
    { violations: [{ field: "country", description: "value must be a country that has a UN M49 code" }] },
  ]);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { countryParameter, namesCountries, twinOfCountry } from "../../../src/contract/request/country-parameter.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";
import { neededParameters } from "../../support/needed-query.ts";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const parameters = catalog.flatMap((operation) => {
  const { method, read } = operation;
  if (!read || method.name === "ListMonitoredCompanies") return [];
  const own = method.input.fields.filter(namesCountries).map(({ name }) => name);
  const names = [...own, ...(twinOfCountry(method.input) ? [countryParameter] : [])];
  return names.map((name) => [`${method.name} ${name}`, operation, name] as const);
});

test("every read that names countries is covered", () => {
  expect(parameters.length).toBeGreaterThan(30);
});

describe.each(parameters)("%s", (_, operation, name) => {
  const twin = twinOfCountry(operation.method.input)?.name;
  const isAboutUnion = twin !== undefined && /^GetEu/.test(operation.name);
  // Each operation has the limits of a key of its own.
  beforeAll(async () => {
    key = await app.key("operator");
  });
  const needed = Object.entries(neededParameters(operation)).filter(([other]) => other !== name && other !== twin);
  const sendRequest = async (country: string) => {
    const query = new URLSearchParams({
      ...Object.fromEntries(needed.map(([other, value]) => [other, String(value)])),
      [name]: country,
    });
    const response = await app.get(`${operation.path}?${query}`, { key });
    return { status: response.status, body: await response.json() };
  };
  const same = async (...forms: readonly string[]) => {
    const [first, ...others] = await Promise.all(forms.map(sendRequest));
    for (const other of others) expect(other).toEqual(first);
    return first;
  };

  test("accepts every form of a country", async () => {
    const countries = isAboutUnion
      ? [["GR", "EL", "gr", "Greece", "GRC", "300"]]
      : [
          ["SD", "Sudan", "SDN", "729"],
          ["GB", "UK", "uk", "United Kingdom", "GBR", "826", "Britain"],
          ["CD", "Congo, Dem. Rep.", "COD", "ZAR"],
        ];
    for (const forms of countries) expect((await same(...forms))?.body).not.toHaveProperty("violations");
  });

  test.each(["ZZ", "XX", "YU", "Atlantis", "999"])("rejects %s and names the field", async (value) => {
    const { status, body } = await sendRequest(value);
    expect(status).toBe(400);
    const field = expect.stringMatching(new RegExp(`^${name}(\\[0\\])?$`));
    const description = expect.stringMatching(/^value must be a country: ISO 3166-1 alpha-2, alpha-3 or numeric code/);
    expect(body).toEqual({ violations: [{ field, description }] });
  });
});

test("an unknown country is reported with its place in the list", async () => {
  const path = "/api/economic/v1/list-global-tenders?countries=US,Sudan,ZZ";
  const response = await app.get(path, { key });
  expect(await response.json()).toMatchObject({ violations: [{ field: "countries[2]" }] });
});

test("the tender feed names the parameters that it applied", async () => {
  const applied = async (query: string) =>
    (await app.json<{ appliedFilters: string[] }>(`/api/economic/v1/list-global-tenders?${query}`)).appliedFilters;
  expect(await applied("countries=US,France")).toEqual(["countries"]);
  expect(await applied("country=UK")).toEqual(["country"]);
  expect(await applied("country=UK&countries=DE&currency=EUR")).toEqual(["country", "countries", "currency"]);
});

test("the chokepoint index accepts other forms as country, and its specified form as iso2", async () => {
  const path = "/api/supply-chain/v1/get-country-chokepoint-index";
  for (const iso2 of ["UK", "de", "DEU", "Germany", "ZZ"])
    expect(await app.rejected(`${path}?iso2=${iso2}`)).toEqual(["iso2"]);
  expect(await app.json(`${path}?country=UK`)).toEqual(await app.json(`${path}?iso2=GB`));
});

test("no operation has a country parameter in vain", async () => {
  expect(await app.rejected("/api/economic/v1/get-eu-gas-storage?country=DE")).toEqual(["country"]);
  const ignored = await app.get("/api/supply-chain/v1/get-shipping-stress?country=DE", { key });
  expect(ignored.headers.get("X-Ignored-Parameters")).toBe("country");
});

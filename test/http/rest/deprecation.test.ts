import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { accessService } from "../../support/servers/access-service.ts";

const outages = "/api/infrastructure/v1/list-internet-outages";
const json = { "Content-Type": "application/json" };

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [accessService] });
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const signals = ({ headers }: Response) => [headers.get("Deprecation"), headers.get("Link"), headers.get("Sunset")];

test("an alias answers as its path does, says since when it is deprecated, and names the path", async () => {
  const [path, alias] = [await app.get("/api/test/v1/get-aliased"), await app.get("/api/test/v1/aliased")];
  expect(await alias.text()).toBe(await path.text());
  expect(signals(path)).toEqual([null, null, null]);
  const since = "@1795132800";
  expect(signals(alias)).toEqual([since, '</api/test/v1/get-aliased>; rel="successor-version"', null]);
  const rejected = await app.get("/api/test/v1/aliased", { key: null });
  expect([rejected.status, ...signals(rejected)]).toEqual([401, since, expect.stringContaining("get-aliased"), null]);
});

test("an alias and its path share one quota", async () => {
  const key = await app.key("enterprise");
  const left = async (path: string) => Number((await app.get(path, { key })).headers.get("X-RateLimit-Remaining"));
  const first = await left("/api/test/v1/get-aliased");
  expect(await left("/api/test/v1/aliased")).toBe(first - 1);
  expect(await left("/api/test/v1/get-aliased")).toBe(first - 2);
});

test("the response names a deprecated parameter if it is used", async () => {
  expect(signals(await app.get("/api/test/v1/get-plain?note=x"))).toEqual([null, null, null]);
  for (const query of ["remark=x", "note=y&remark=x"])
    expect(signals(await app.get(`/api/test/v1/get-plain?${query}`))).toEqual([
      "@1795132800",
      '</api/test/v1/get-plain>; rel="successor-version", </versions>; rel="deprecation"',
      null,
    ]);
});

test("unknown parameters are ignored, and rejected if the client prefers strict handling", async () => {
  const query = `${outages}?country=US&contry=DE&x=1`;
  const usual = await app.get(query);
  expect([usual.status, usual.headers.get("Preference-Applied")]).toEqual([200, null]);
  for (const prefer of ["handling=strict", 'respond-async, Handling="strict"; x=1']) {
    const strict = await app.get(query, { headers: { Prefer: prefer } });
    expect([strict.status, await strict.json()]).toEqual([
      400,
      {
        violations: ["contry", "x"].map((field) => ({ field, description: "unknown parameter" })),
      },
    ]);
  }
  for (const prefer of ["handling=lenient", "return=minimal", "handling=strictly"])
    expect((await app.get(query, { headers: { Prefer: prefer } })).status).toBe(200);
});

test("parameters that a read does not know are named in a header, up to a bound", async () => {
  const ignored = async (query: string, options = {}) =>
    (await app.get(`${outages}?${query}`, options)).headers.get("X-Ignored-Parameters");
  expect(await ignored("country=US&contry=DE&x=1&x=2&page_size=3&jmespath=keys(@)")).toBe("contry, x");
  expect(await ignored("country=US")).toBeNull();
  expect(await ignored("a%20b%2C=1&%C3%A9=2&%0D%0AX=3")).toBe("a%20b%2C, %C3%A9, %0D%0AX");
  const many = Array.from({ length: 300 }, (_, index) => `p${index}`);
  expect((await ignored(many.join("&")))?.split(", ")).toEqual([...many.slice(0, 20), "+280"]);
  expect(await ignored(many.slice(0, 20).join("&"))).toBe(many.slice(0, 20).join(", "));
  expect(await ignored(`${"x".repeat(900)}&${"y".repeat(200)}&z`)).toBe(`${"x".repeat(900)}, z, +1`);
  expect(await ignored("x".repeat(2_000))).toBe("+1");
  for (const method of ["HEAD", "POST"]) expect(await ignored("contry=DE", { method })).toBe("contry");
  // The first of several values counts, and is not the whole question.
  expect(await ignored("country=SD&country=UA")).toBe("country");
  expect(await ignored("country=SD&country=&country=SD&severity=a")).toBeNull();
  expect(await ignored("page_size=3&pageSize=4&format=json&format=csv&z")).toBe("z, page_size, format");
  // From its second request on the answer is prepared.
  for (let round = 0; round < 3; round++) expect(await ignored("contry=SD")).toBe("contry");
});

test("strict handling knows every documented name and its twin, projection too, and says that it was followed", async () => {
  for (const query of ["country=US&page_size=1&jmespath=keys(@)", "pageSize=1&cursor=x"]) {
    const response = await app.get(`${outages}?${query}`, { headers: { Prefer: "handling=strict" } });
    expect([response.status, response.headers.get("Preference-Applied")]).toEqual([200, "handling=strict"]);
  }
});

test("unknown members of a write's body are refused, in plain JSON and over Connect, nested ones too", async () => {
  const post = (path: string, body: unknown) =>
    app.get(path, { method: "POST", body: JSON.stringify(body), headers: json });
  const reported = (...fields: string[]) => fields.map((field) => ({ field, description: "unknown member" }));
  const rejected = await post("/api/account/v1/create-account", { id: "strict", nme: "x" });
  expect([rejected.status, await rejected.json()]).toEqual([400, { violations: reported("nme") }]);
  const nested = await post("/api/company-monitoring/v1/import-companies", {
    contractVersion: "1",
    companies: [{ companyId: "a" }, { company_id: "b", tikcer: "B" }],
    more: {},
  });
  expect([nested.status, await nested.json()]).toEqual([400, { violations: reported("companies[1].tikcer", "more") }]);
  const called = await post("/ids.account.v1.AccountService/CreateAccount", { id: "strict", nme: "x" });
  expect([called.status, await called.json()]).toMatchObject([
    400,
    { code: "invalid_argument", message: "nme: unknown member" },
  ]);
  for (const path of ["/api/account/v1/create-account", "/ids.account.v1.AccountService/CreateAccount"])
    expect((await post(path, { id: `strict-${path.length}`, name: "x" })).ok).toBe(true);
});

test("scopes are not taken away because a body does not name them", async () => {
  const account = { id: "scoped", name: "Scoped" };
  const post = (path: string, body: unknown) =>
    app.get(path, { method: "POST", body: JSON.stringify(body), headers: json });
  expect((await post("/api/account/v1/create-account", account)).status).toBe(201);
  const set = (body: object) => post("/api/account/v1/set-scopes", { account: "scoped", ...body });
  const scopesOf = async (response: Response) => ((await response.json()) as { account: { scopes: string[] } }).account;
  const scopes = ["company_monitoring:read"];
  expect(await scopesOf(await set({ scopes }))).toMatchObject({ scopes });
  for (const body of [{}, { scopes: null }, { scope: [] }]) {
    const rejected = await set(body);
    expect(rejected.status).toBe(400);
    expect(JSON.stringify(await rejected.json())).toContain('"field":"scope');
  }
  expect(await scopesOf(await set({ scopes: [] }))).toMatchObject({ scopes: [] });
});

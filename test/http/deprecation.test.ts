import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { accessService } from "../support/access-service.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

const outages = "/api/infrastructure/v1/list-internet-outages";

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
  const refused = await app.get("/api/test/v1/aliased", { key: null });
  expect([refused.status, ...signals(refused)]).toEqual([401, since, expect.stringContaining("get-aliased"), null]);
});

test("an alias and its path share one quota", async () => {
  const key = await app.key("enterprise");
  const left = async (path: string) => Number((await app.get(path, { key })).headers.get("X-RateLimit-Remaining"));
  const first = await left("/api/test/v1/get-aliased");
  expect(await left("/api/test/v1/aliased")).toBe(first - 1);
  expect(await left("/api/test/v1/get-aliased")).toBe(first - 2);
});

test("a deprecated parameter is told, where it is used", async () => {
  expect(signals(await app.get("/api/test/v1/get-plain?note=x"))).toEqual([null, null, null]);
  for (const query of ["remark=x", "note=y&remark=x"])
    expect(signals(await app.get(`/api/test/v1/get-plain?${query}`))).toEqual([
      "@1795132800",
      '</api/test/v1/get-plain>; rel="successor-version", </versions>; rel="deprecation"',
      null,
    ]);
});

test("unknown parameters are left alone, and refused for whoever prefers strict handling", async () => {
  const query = `${outages}?country=US&contry=DE&x=1`;
  const usual = await app.get(query);
  expect([usual.status, usual.headers.get("Preference-Applied")]).toEqual([200, null]);
  for (const prefer of ["handling=strict", 'respond-async, Handling="strict"; x=1']) {
    const strict = await app.get(query, { headers: { Prefer: prefer } });
    expect([strict.status, await strict.json()]).toEqual([
      400,
      {
        violations: ["contry", "x"].map((field) => ({ field, description: "no such parameter in this operation" })),
      },
    ]);
  }
  for (const prefer of ["handling=lenient", "return=minimal", "handling=strictly"])
    expect((await app.get(query, { headers: { Prefer: prefer } })).status).toBe(200);
});

test("strict handling knows every documented name and its twin, projection too, and says that it was followed", async () => {
  for (const query of ["country=US&page_size=1&jmespath=keys(@)", "pageSize=1&cursor=x"]) {
    const response = await app.get(`${outages}?${query}`, { headers: { Prefer: "handling=strict" } });
    expect([response.status, response.headers.get("Preference-Applied")]).toEqual([200, "handling=strict"]);
  }
});

test("strict handling refuses unknown members of a body as well", async () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    app.get("/api/account/v1/create-account", { method: "POST", body, headers });
  const refused = await post('{"id":"strict","nme":"x"}', { Prefer: "handling=strict" });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { violations: [{ field: "nme", description: "no such parameter in this operation" }] },
  ]);
  expect((await post('{"id":"strict","nme":"x"}')).status).toBe(201);
});

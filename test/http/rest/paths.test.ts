import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { pathService } from "../../support/servers/path-service.ts";

const things = "/api/v2/test/things";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [pathService] });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

async function answer(path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) {
  const response = await app.get(path, init);
  const text = await response.text();
  return { status: response.status, body: text === "" ? "" : JSON.parse(text) };
}

test("a path serves each of its operations under its own verb", async () => {
  expect(await answer(things)).toEqual({ status: 200, body: { word: "list" } });
  expect(await answer(things, { method: "POST", body: '{"name":"a"}' })).toEqual({ status: 201, body: { name: "a" } });
  expect((await app.get(things, { method: "HEAD" })).status).toBe(200);
});

test("a verb that none of the path's operations takes is 405 with the verbs of them all", async () => {
  const rejected = await app.get(things, { method: "PUT" });
  expect([rejected.status, rejected.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  const single = await app.get(`${things}/x`, { method: "PATCH" });
  expect([single.status, single.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST, DELETE, OPTIONS"]);
  expect((await app.get(things, { method: "PUT", key: null })).status).toBe(405);
});

test("a read takes a field from its path, percent-decoded, whatever the query says of it", async () => {
  const read = (path: string) => answer(`${things}/${path}`);
  expect(await read("a?note=b")).toEqual({ status: 200, body: { thingId: "a", note: "b" } });
  expect((await read("a?thing_id=b&thingId=c")).body).toEqual({ thingId: "a", note: "" });
  expect((await read("a%2Fb%20c%26note=%C3%A9")).body).toEqual({ thingId: "a/b c&note=é", note: "" });
  expect((await read("%zz")).body).toEqual({ thingId: "%zz", note: "" });
  expect((await read("a/")).body).toEqual({ thingId: "a", note: "" });
  expect((await read("a/b")).status).toBe(404);
});

test("answers to different paths are never mixed up", async () => {
  for (let round = 0; round < 3; round++)
    for (const id of ["a", "b"]) expect((await answer(`${things}/${id}`)).body).toEqual({ thingId: id, note: "" });
});

test("a POST to a path whose read has no POST method is accepted as that read", async () => {
  const read = await answer(`${things}/a`, { method: "POST", body: '{"note":"n","thing_id":"b"}' });
  expect(read).toEqual({ status: 200, body: { thingId: "a", note: "n" } });
});

test("a write takes a field from its path and leaves what the body says of it", async () => {
  const rename = (body: string, headers = {}) => answer(`${things}/a/rename`, { method: "POST", body, headers });
  expect(await rename('{"name":"n"}')).toEqual({ status: 200, body: { thingId: "a", name: "n" } });
  expect((await rename('{"name":"n","thingId":"b","thing_id":"c"}')).body).toEqual({ thingId: "a", name: "n" });
  expect(await rename('{"thingId":"b"}', { Prefer: "handling=strict" })).toEqual({
    status: 400,
    body: { violations: [{ field: "thingId", description: expect.any(String) }] },
  });
});

test("a DELETE is answered without a body where its success is 204, also when it is repeated", async () => {
  const headers = { "Idempotency-Key": "once" };
  for (const replayed of ["false", "true"]) {
    const dropped = await app.get(`${things}/a`, { method: "DELETE", headers });
    expect([dropped.status, await dropped.text(), dropped.headers.get("Content-Type")]).toEqual([204, "", null]);
    expect(dropped.headers.get("Idempotent-Replayed")).toBe(replayed);
  }
});

test("a path below one with operations is unknown with and without a key", async () => {
  for (const path of [`${things}/a/nothing`, "/api/v2/test/nothing"]) {
    expect((await app.get(path, { key: null })).status, path).toBe(404);
    expect((await app.get(path)).status, path).toBe(404);
  }
});

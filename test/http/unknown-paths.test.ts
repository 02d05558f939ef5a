import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

test.each([
  ["an unknown page", "/nothing/here", {}, 404],
  ["a wrong verb", "/api/health", { method: "DELETE" }, 405],
  [
    "an unknown call",
    "/ids.none.v1.NoService/Get",
    { method: "POST", headers: { "Content-Type": "application/grpc" } },
    200,
  ],
])("%s counts for its address, and is a 429 beyond its limit", async (_what, path, options, status) => {
  const database = await openOnce();
  await using app = await startApp(database);
  const sendRequest = async () => (await app.get(path, { key: null, ...options })).status;
  const statuses = await Promise.all(Array.from({ length: 620 }, sendRequest));
  expect(Object.groupBy(statuses, String)[status]).toHaveLength(600);
  expect(Object.groupBy(statuses, String)[429]).toHaveLength(20);
  const read = await app.get("/api/conflict/v1/list-conflict-events?country=1", { key: null });
  expect([read.status, read.headers.has("Retry-After")]).toEqual([429, true]);
  expect((await app.get("/livez", { key: null })).status).toBe(200);
  await database.close();
});

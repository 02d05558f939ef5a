import { load } from "cheerio";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { startUpstreamServer } from "../../support/servers/upstream-server.ts";

let database: Database;
beforeAll(async () => {
  database = await openOnce();
});
afterAll(() => database.close());

/** The example on an operation's page, and the words around it. */
async function shownBy(app: TestApp, slug: string): Promise<{ answer: Record<string, unknown>; said: string }> {
  const $ = load(await (await app.get(`/docs/${slug}`, { key: null })).text());
  return { answer: JSON.parse($("pre code.json").first().text()), said: $(".samples").text() };
}

test("a page shows the contract's example until the service has an answer, and then that one", async () => {
  await using app = await startApp(database);
  const before = await shownBy(app, "list-internet-outages");
  expect(before.said).toContain("Example from the contract");
  await app.refresh("internet-outages");
  const { answer: response, said } = await shownBy(app, "list-internet-outages");
  expect(said).toContain("What this service returned for the example request; its data is a sample");
  const { outages } = await app.json<{ outages: { id: string }[] }>(
    "/api/infrastructure/v1/list-internet-outages?country=SY",
  );
  expect(outages.length).toBeGreaterThan(0);
  expect(response).toMatchObject({ outages: outages.slice(0, 2).map(({ id }) => ({ id })) });
});

test("in live mode what needs no key is shown from the service, and nothing else: it would be read without a key", async () => {
  await using outside = await startUpstreamServer(["acled", "ucdp"], () => testTime);
  await using app = await startApp(database, {
    environment: {
      ...{ IDS_DATA: "live", ACLED_EMAIL: "a@example.org", ACLED_PASSWORD: "secret", UCDP_ACCESS_TOKEN: "secret" },
    },
    outside: { transport: outside.transport, wait: async () => undefined, floorOf: () => 1 },
  });
  await app.refresh("conflict-events");
  await app.refresh("energy-crisis-policies");
  const events = await shownBy(app, "list-conflict-events");
  expect(events.said).toContain("What this service returned for the example request; lists");
  expect((await app.get("/api/economic/v1/get-energy-crisis-policies")).status).toBe(200);
  expect((await shownBy(app, "get-energy-crisis-policies")).said).toContain("Example from the contract");
});

test("what depends on who asks is never shown", async () => {
  await using app = await startApp(database);
  for (const slug of ["get-ip-geo", "get-caller", "list-webhooks", "list-company-event-impacts"])
    expect((await shownBy(app, slug)).said, slug).toContain("Example from the contract");
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const dayMs = 86_400_000;
const path = "/.well-known/security.txt";
let database: Database;
beforeAll(async () => {
  database = await openOnce();
});
afterAll(() => database.close());

test("security.txt has the operator's contact, expires within a year, and is renewed each day", async () => {
  const environment = { IDS_OPERATOR_CONTACT: "data@example.org", IDS_TRUSTED_PROXIES: "127.0.0.0/8" };
  await using app = await startApp(database, { environment });
  const read = async (headers: Record<string, string> = {}) => {
    const response = await app.get(path, { key: null, headers });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/plain; charset=utf-8"]);
    return (await response.text()).trimEnd().split("\n");
  };
  const [contact, expires = "", ...others] = await read();
  expect([contact, others]).toEqual(["Contact: mailto:data@example.org", []]);
  const until = Date.parse(expires.replace("Expires: ", "")) - testTime.getTime();
  expect(until).toBeGreaterThan(100 * dayMs);
  expect(until).toBeLessThan(365 * dayMs);
  const host = new URL(app.url).host;
  expect(await read({ "X-Forwarded-Proto": "https" })).toContain(`Canonical: https://${host}${path}`);
  app.setTime(new Date(testTime.getTime() + dayMs));
  expect((await read())[1]).not.toBe(expires);
});

test("an https address is the contact as it is written", async () => {
  const contact = "https://example.org/report";
  await using app = await startApp(database, { environment: { IDS_OPERATOR_CONTACT: contact } });
  expect(await (await app.get(path, { key: null })).text()).toMatch(`Contact: ${contact}\n`);
});

test.each([{}, { IDS_OPERATOR_CONTACT: "http://example.org/" }])(
  "without a contact that RFC 9116 permits, security.txt is a 404 that names the setting: %j",
  async (environment) => {
    await using app = await startApp(database, { environment });
    const response = await app.get(path, { key: null });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining("IDS_OPERATOR_CONTACT") });
  },
);

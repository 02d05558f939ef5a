import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { giveDemoScopes, provideDemoKeys } from "../../../src/access/keys/demo-keys.ts";
import { provideDemoImpacts } from "../../../src/domains/company-monitoring/demo-impacts.ts";
import { freshFolder } from "../../cli/terminal.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { type ImpactPage, monitoring, scopes } from "../../support/domains/monitoring.ts";

test("the demo account has illustrative companies and impacts to try, made once, and other demo keys lack the right", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  const keys = await provideDemoKeys(database.kysely, freshFolder(), randomBytes, undefined, testTime);
  const account = await giveDemoScopes(database.kysely, "enterprise", scopes);
  for (let start = 0; start < 2; start++) await provideDemoImpacts(database.kysely, account, testTime, randomBytes);
  await using app = await startApp(database);
  const api = monitoring(app, database);
  const { body } = await api.get<ImpactPage>("list-company-event-impacts", {}, keys.enterprise);
  expect(body.impacts.map(({ lifecycle }) => lifecycle.split("_").at(-1))).toEqual([
    ...["RETRACTED", "CORRECTED", "ADMITTED", "ADMITTED"],
  ]);
  for (const { rationale } of body.impacts) expect(rationale).toMatch(/^Illustrative: /);
  const companies = await api.get<{ companies: object[] }>("list-monitored-companies", {}, keys.enterprise);
  expect(companies.body.companies).toHaveLength(3);
  for (const [country, count] of [
    ["GB", 2],
    ["us", 1],
    ["DE", 0],
  ] as const) {
    const { body } = await api.get<{ companies: object[] }>("list-monitored-companies", { country }, keys.enterprise);
    expect(body.companies, country).toHaveLength(count);
  }
  for (const key of [keys.free, keys.pro, keys.api])
    expect((await api.get("list-company-event-impacts", {}, key)).status).toBe(403);
});

test("what was invented is marked wherever it is shown, what an account brings itself is not, and live mode shows none of it", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using sample = await startApp(database);
  await using live = await startApp(database, { environment: { IDS_DATA: "live" } });
  const inSample = monitoring(sample, database);
  const inLive = monitoring(live, database);
  const { id, key } = await inSample.open();
  await provideDemoImpacts(database.kysely, id, testTime, randomBytes);
  for (const list of ["list-company-event-impacts", "list-monitored-companies"])
    expect((await inSample.get(list, {}, key)).headers.get("x-data-origin")).toBe("sample");
  expect((await inLive.get<ImpactPage>("list-company-event-impacts", {}, key)).body.impacts).toEqual([]);
  expect((await inLive.get("list-monitored-companies", {}, key)).body).toMatchObject({ companies: [] });

  const own = await inSample.open("Real Pumps plc");
  await inSample.admit(own.id, own.companies[0] ?? "");
  for (const api of [inSample, inLive]) {
    const { headers, body } = await api.get<ImpactPage>("list-company-event-impacts", {}, own.key);
    expect([headers.get("x-data-origin"), body.impacts.length]).toEqual([null, 1]);
  }
});

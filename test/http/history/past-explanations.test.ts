import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";

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

const risk = "/api/intelligence/v1/get-risk-score-explanation?region=UA";
const resilience = "/api/resilience/v1/get-resilience-score-explanation?countryCode=DE";

/** Refreshes datasets at a time and returns the explanations of a minute later. */
async function explainedAt(at: Date, names: readonly Parameters<TestApp["refresh"]>[0][]) {
  app.setTime(at);
  for (const name of names) await app.refresh(name);
  const requested = new Date(at.getTime() + minuteMs);
  app.setTime(requested);
  const read = async (path: string) => (await app.get(path)).text();
  return { requested, risk: await read(risk), resilience: await read(resilience) };
}

test("explanations of scores return the inputs of an earlier time with as_of", async () => {
  const first = await explainedAt(testTime, []);
  const second = await explainedAt(new Date(testTime.getTime() + 3 * dayMs), [
    ...(["conflict-events", "internet-outages", "chokepoint-status", "resilience-inputs"] as const),
    ...(["risk-scores", "resilience-scores"] as const),
  ]);
  expect(second.risk).not.toBe(first.risk);
  expect(second.resilience).not.toBe(first.resilience);
  app.setTime(new Date(testTime.getTime() + 4 * dayMs));
  for (const { requested, ...bodies } of [first, second])
    for (const [path, body] of [
      [risk, bodies.risk],
      [resilience, bodies.resilience],
    ] as const) {
      const response = await app.get(`${path}&as_of=${requested.toISOString()}`);
      expect([response.status, response.headers.get("X-As-Of")], path).toEqual([200, requested.toISOString()]);
      expect(await response.text(), path).toBe(body);
    }
  const before = await app.get(`${risk}&as_of=${new Date(testTime.getTime() - 5 * dayMs).toISOString()}`);
  expect([before.status, await before.text()]).toEqual([400, expect.stringContaining("no earlier versions")]);
});

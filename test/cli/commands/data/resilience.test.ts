import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import {
  type Explanation,
  neighbors,
  recomputed,
  type Score,
  scorePath,
} from "../../../support/domains/resilience-responses.ts";
import { ids } from "../../terminal.ts";

let app: TestApp;
let as: Record<string, string>;

beforeAll(async () => {
  const database = await openOnce();
  app = await startApp(database);
  as = { IDS_URL: app.url, IDS_API_KEY: await app.key("api_starter") };
  return async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  };
});

const score = async (code: string) => (await app.json<Score>(`${scorePath}?country_code=${code}`)).overallScore;

test("before anything is computed it says so", async () => {
  expect(await ids(as, "resilience", "explain", "no")).toMatchObject({
    out: "NO, methodology v8: not computed yet\n",
    status: 0,
  });
});

test("what is printed comes to the score that is served", async () => {
  for (const dataset of [...neighbors, "resilience-inputs", "resilience-scores"] as const) await app.refresh(dataset);
  for (const code of ["NO", "YE", "TV", "RU", "AE"]) {
    const { out } = await ids(as, "resilience", "explain", code);
    const line = (name: string) => Number(new RegExp(`^${name} .*?(-?[\\d.]+)$`, "m").exec(out)?.[1]);
    const mean =
      0.4 * line("structural-readiness") + 0.35 * line("live-shock-exposure") + 0.25 * line("recovery-capacity");
    expect(mean).toBeCloseTo(line("mean"), 3);
    expect(line("mean") * (0.5 + line("weakest") / 200)).toBeCloseTo(line("score"), 2);
    expect([code, line("score")]).toEqual([code, await score(code)]);
  }
});

test("every value is printed with its source and date, and what is missing with the reason", async () => {
  const { out } = await ids(as, "resilience", "explain", "NO");
  expect(out).toMatch(/govRevenuePct .* govRevenue [\d.]+ +2026 +imf-datamapper GGR_G01_GDP_PT +5 → 0, 45 → 100/);
  expect(out).toMatch(/gpsJamming +- +- +0\.2 +0 +The terms of the map/);
  expect(out).toMatch(/reserveAdequacy \(retired\)/);
  expect(out).toMatch(/externalDebtCoverage \(noRecoveryData: no input is known\)/);
});

test("as JSON it is the contract's message, from which the score can be computed again", async () => {
  const reported: Explanation = JSON.parse((await ids(as, "resilience", "explain", "MX", "--json")).out);
  expect(recomputed(reported).overall).toBe(await score("MX"));
});

test("a free key and an unknown country are rejected with the reason", async () => {
  const free = { ...as, IDS_API_KEY: await app.key("free") };
  expect(await ids(free, "resilience", "explain", "NO")).toMatchObject({
    out: "",
    err: expect.stringMatching(/Upgrade/),
    status: 1,
  });
  expect(await ids(as, "resilience", "explain", "ZZ")).toMatchObject({
    err: expect.stringMatching(/value must be a country/),
    status: 1,
  });
});

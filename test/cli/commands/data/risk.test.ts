import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { type Explanation, recomputed, type Scores, scoresPath } from "../../../support/domains/risk.ts";
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

test("before anything is loaded the explanation says what is missing", async () => {
  const { out, status } = await ids(as, "risk", "explain", "ua");
  expect(status).toBe(0);
  expect(out).toMatch(/^UA, methodology v8, 2026-11-18T12:00Z, event multiplier m = 0\.8$/m);
  expect(out).toMatch(/^Degraded: without acled, acled-unrest, cloudflare-radar, firms, /m);
  expect(out).toMatch(/^score +60$/m);
  expect(out).toMatch(/advisoryLevel +4 \(fallback\)/);
  expect(out).toMatch(/vessels +0 \(absent\)/);
});

test("what is printed for every country adds up to the score that is served", async () => {
  for (const dataset of ["conflict-events", "internet-outages", "risk-scores"] as const) await app.refresh(dataset);
  const { ciiScores } = await app.json<Scores>(scoresPath);
  for (const { region, combinedScore, dynamicScore } of ciiScores) {
    const { out } = await ids(as, "risk", "explain", region);
    const line = (name: string) => Number(new RegExp(`^${name} .*?(-?[\\d.]+)$`, "m").exec(out)?.[1]);
    const shares = ["baseline", "unrest", "conflict", "security", "information", "additions"].map(line);
    const sum = shares.reduce((total, share) => total + share, 0);
    expect(sum).toBeCloseTo(line("blended"), 1);
    expect([region, line("score"), line("change")]).toEqual([region, combinedScore, dynamicScore]);
    expect(Math.max(Math.round(line("blended")), line("floor"))).toBe(combinedScore);
  }
});

test("since when wars are counted is printed where that is not two years", async () => {
  expect((await ids(as, "risk", "explain", "UA")).out).toMatch(/ warEvents +\d+ since 202[56]-\d\d-\d\d +ucdp /);
});

test("as JSON it is the contract's message, from which the score can be computed again", async () => {
  const reported: Explanation = JSON.parse((await ids(as, "risk", "explain", "MX", "--json")).out);
  const { ciiScores } = await app.json<Scores>(`${scoresPath}?region=MX`);
  expect(recomputed(reported).combined).toBe(ciiScores[0]?.combinedScore);
  const inputs = reported.components.flatMap(({ terms }) => terms.flatMap((term) => term.inputs));
  expect(inputs.find(({ name }) => name === "battles")).toMatchObject({ state: "measured", source: "acled" });
});

test.each([
  ["SE", /SE is not a scored country/],
  ["ZZ", /region/],
])("%s is refused with the reason", async (region, reason) => {
  expect(await ids(as, "risk", "explain", region)).toMatchObject({
    out: "",
    err: expect.stringMatching(reason),
    status: 1,
  });
});

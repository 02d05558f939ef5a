import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { explanationPath, recomputed, type Scores, scoresPath, unsourced } from "../../../support/domains/risk.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describeEachDatabase("Risk scores", (openFresh) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const scores = (region = "") => app.json<Scores>(`${scoresPath}?region=${region}`);
  const at = (milliseconds: number) => app.setTime(new Date(testTime.getTime() + milliseconds));
  const score = async (region: string) => (await scores(region)).ciiScores[0];
  const flags = async () => {
    const response = await app.get(scoresPath);
    const { degraded, stale, missingInputs } = (await response.json()) as Scores;
    return {
      degraded,
      stale,
      missing: missingInputs.length - unsourced.length,
      noStore: response.headers.get("cache-control") === "no-store",
    };
  };
  const nothing = { degraded: true, stale: false, missing: 9, noStore: true };

  test("before any refresh there are baselines and floors, degraded and not kept, and no trend is known", async () => {
    expect(await flags()).toEqual(nothing);
    const { ciiScores, strategicRisks } = await scores();
    expect(ciiScores.map(({ region, combinedScore }) => `${region} ${combinedScore}`).join(", ")).toBe(
      "UA 60, SY 60, YE 60, MM 60, AF 60, IR 50, IL 50, PK 50, VE 50, CU 50, MX 50, IQ 50, LB 50, RU 19, KP 18, TR 15, " +
        "TW 12, CN 10, SA 8, IN 8, EG 8, BR 6, KR 6, PL 4, FR 4, AE 4, QA 4, US 2, DE 2, GB 2, JP 2",
    );
    expect(strategicRisks).toEqual([
      {
        ...{ region: "global", level: "SEVERITY_LEVEL_MEDIUM", score: 57 },
        ...{ factors: ["UA", "SY", "YE", "MM", "AF"], trend: "TREND_DIRECTION_UNSPECIFIED" },
      },
    ]);
    expect(ciiScores[0]).toEqual({
      ...{ region: "UA", staticBaseline: 50, dynamicScore: 0, combinedScore: 60, trend: "TREND_DIRECTION_UNSPECIFIED" },
      components: {
        ...{ newsActivity: 0, ciiContribution: 0, geoConvergence: 0, militaryActivity: 0 },
        ...{ hasNewsActivity: false, hasCiiContribution: false },
        ...{ hasGeoConvergence: false, hasMilitaryActivity: false },
      },
      hasDynamicScore: false,
      ...{ computedAt: testTime.getTime(), methodologyVersion: "v8", eventMultiplier: 0.8 },
      ...{ advisoryLevel: "do-not-travel", advisoryProvenance: "fallback" },
    });
    expect(await score("RU")).toMatchObject({ advisoryLevel: "caution", advisoryProvenance: "fallback" });
    expect(await score("US")).toMatchObject({ advisoryLevel: "", advisoryProvenance: "absent" });
  });

  test("a country that the score does not cover has no scores and a header that says so", async () => {
    for (const path of [scoresPath, explanationPath]) {
      const missingOf = async (region: string) =>
        (await app.get(`${path}?region=${region}`)).headers.get("X-Data-Missing") ?? "";
      expect(await missingOf("SD")).toContain("SD: only 31 countries have a risk score");
      expect(await missingOf("UA")).not.toContain("risk score");
    }
    expect((await scores("SD")).ciiScores).toEqual([]);
  });

  test("without the other domains' data the scores are there, and say what they miss", async () => {
    expect(await app.refresh("risk-scores")).toMatchObject({ rows: 31 });
    expect((await scores()).missingInputs).toEqual(["acled", "cloudflare-radar", "ucdp", ...unsourced]);
    expect(await flags()).toMatchObject({ degraded: true, stale: false, noStore: true });
    expect((await score("UA"))?.components.geoConvergence).toBe(0);
  });

  test("with all sources they are whole and may be kept", async () => {
    for (const dataset of ["conflict-events", "internet-outages", "risk-scores"] as const) await app.refresh(dataset);
    const response = await app.get(scoresPath);
    expect(response.headers.get("cache-control")).toMatch(/max-age=300/);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    expect(await flags()).toEqual({ degraded: false, stale: false, missing: 0, noStore: false });
    expect((await score("UA"))?.components.geoConvergence).toBeGreaterThan(50);
    expect(await score("CU")).toMatchObject({ advisoryLevel: "caution", advisoryProvenance: "live" });
    expect(await score("PL")).toMatchObject({ advisoryLevel: "", advisoryProvenance: "live" });
  });

  test("the highest come first, equal ones in the order of the methodology", async () => {
    const { ciiScores, strategicRisks } = await scores();
    expect(ciiScores).toHaveLength(31);
    const order = "US RU CN UA IR IL TW KP SA TR PL DE FR GB IN PK SY YE MM VE CU MX BR AE KR IQ AF LB EG JP QA".split(
      " ",
    );
    const place = ({ region, combinedScore }: Scores["ciiScores"][number]) =>
      -1000 * combinedScore + order.indexOf(region);
    expect(ciiScores).toEqual(ciiScores.toSorted((a, b) => place(a) - place(b)));
    expect(strategicRisks[0]?.factors).toEqual(ciiScores.slice(0, 5).map(({ region }) => region));
    expect(new Set(ciiScores.map(({ combinedScore }) => combinedScore)).size).toBeGreaterThan(12);
  });

  test("every score can be computed again from its explanation", async () => {
    for (const { region, combinedScore, dynamicScore, components } of (await scores()).ciiScores) {
      const explanation = await app.json<Parameters<typeof recomputed>[0]>(`${explanationPath}?region=${region}`);
      const again = recomputed(explanation);
      expect([region, again.combined]).toEqual([region, combinedScore]);
      expect(again.movement).toBe(dynamicScore);
      expect(again.components).toEqual({
        ...{ unrest: components.ciiContribution, conflict: components.geoConvergence },
        ...{ security: components.militaryActivity, information: components.newsActivity },
      });
    }
  });

  test("samples cover the day before, with some scores that rise, some that fall, and most unchanged", async () => {
    // The first refresh lacked sources, and its snapshots are of another kind. A fresh store gets new ones of the day
    // before.
    await using fresh = await startApp(await openFresh());
    for (const dataset of ["conflict-events", "internet-outages", "risk-scores"] as const) await fresh.refresh(dataset);
    const { ciiScores } = await fresh.json<Scores>(scoresPath);
    const trends = Map.groupBy(ciiScores, ({ trend }) => trend);
    expect(trends.get("TREND_DIRECTION_RISING")?.length).toBeGreaterThan(1);
    expect(trends.get("TREND_DIRECTION_FALLING")?.length).toBeGreaterThan(0);
    expect(trends.get("TREND_DIRECTION_STABLE")?.length).toBeGreaterThan(15);
    for (const { trend, dynamicScore } of ciiScores)
      expect(trend).toBe(`TREND_DIRECTION_${dynamicScore > 1 ? "RISING" : dynamicScore < -1 ? "FALLING" : "STABLE"}`);
    const { earlier } = await fresh.json<{ earlier: { at: number } }>(`${explanationPath}?region=RU`);
    expect(earlier.at).toBe(testTime.getTime() - dayMs);
    // The sample stands still until its next day: so do the snapshots.
    fresh.setTime(new Date(testTime.getTime() + 5 * hourMs));
    await fresh.refresh("conflict-events");
    await fresh.refresh("internet-outages");
    await fresh.refresh("risk-scores");
    const later = await fresh.json<{ earlier: { at: number } }>(`${explanationPath}?region=RU`);
    expect(later.earlier.at).toBe(testTime.getTime() - dayMs + 5 * hourMs);
  });

  test("after 20 minutes the last good scores are stale, after an hour only baselines are left", async () => {
    at(20 * minuteMs);
    expect(await flags()).toEqual({ degraded: false, stale: false, missing: 0, noStore: false });
    const before = await scores();
    at(20 * minuteMs + 11_000);
    expect(await flags()).toEqual({ degraded: true, stale: true, missing: 0, noStore: true });
    expect((await scores()).ciiScores).toEqual(before.ciiScores);
    expect(await app.json(`${explanationPath}?region=UA`)).toMatchObject({ degraded: true, stale: true });
    at(60 * minuteMs);
    expect(await flags()).toMatchObject({ stale: true });
    at(60 * minuteMs + 11_000);
    expect(await flags()).toEqual(nothing);
    expect((await score("UA"))?.combinedScore).toBe(60);
    expect(await app.json(`${explanationPath}?region=UA`)).toMatchObject({ degraded: true, stale: false });
    at(0);
  });

  test.each(["ua", "Ua", "UA"])("the region %s is only Ukraine, without the world", async (region) => {
    const { ciiScores, strategicRisks } = await scores(region);
    expect([ciiScores.map((each) => each.region), strategicRisks]).toEqual([["UA"], []]);
    expect(await app.json(`${explanationPath}?region=${region}`)).toMatchObject({ region: "UA" });
  });

  test("an empty region is every country; one that is not scored is none", async () => {
    expect((await app.json<Scores>(`${scoresPath}?region=`)).ciiScores).toHaveLength(31);
    for (const region of ["SE", "AQ", "XK"])
      expect(await scores(region)).toMatchObject({ ciiScores: [], strategicRisks: [] });
  });

  test.each(["ZZ", "U", "1", "U%41A", "%C3%84A", "UA%00", "U-", "global"])(
    "the region %s is refused",
    async (region) => {
      expect(await app.rejected(`${scoresPath}?region=${region}`)).toEqual(["region"]);
      expect(new Set(await app.rejected(`${explanationPath}?region=${region}`))).toEqual(new Set(["region"]));
    },
  );

  test("an explanation needs a country; one that is not scored has none", async () => {
    expect(await app.rejected(explanationPath)).toContain("region");
    expect(await app.json(`${explanationPath}?region=se`)).toMatchObject({
      ...{ region: "SE", scored: false, degraded: false, missingInputs: [] },
      ...{ components: [], additions: [], floors: [], combinedScore: 0 },
    });
  });
});

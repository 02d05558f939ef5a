import { afterAll, beforeAll, expect, test } from "vitest";
import type { DatasetCondition } from "../../src/ingest/condition.ts";
import { commodities } from "../../src/reference/commodities.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";
import { inventedSupply } from "../support/invented-supply.ts";

const path = "/api/supply-chain/v1/get-country-vulnerabilities";
const dayMs = 86_400_000;
const withoutImports = ["BB", "BT", "KG"];

interface Input {
  readonly sourceKey: string;
  readonly hasValue: boolean;
  readonly value?: number;
  readonly stale: boolean;
  readonly detail: string;
}
interface Row {
  readonly countryIso2: string;
  readonly commodityId: string;
  readonly score?: number;
  readonly hasScore: boolean;
  readonly band: string;
  readonly state: string;
  readonly reasons: readonly string[];
  readonly coverage: readonly string[];
  readonly components: {
    readonly sourceConcentration: { readonly hasValue: boolean; readonly value?: number; readonly inputs: Input[] };
    readonly transitExposure: {
      readonly inputs: readonly Input[];
      readonly hasValue: boolean;
      readonly value?: number;
      readonly chokepoints: readonly {
        readonly id: string;
        readonly transitShare: number;
        readonly weightedTransitShare?: number;
        readonly status: string;
        readonly inputs: readonly Input[];
      }[];
    };
    readonly buffer: { readonly state: string; readonly vulnerability?: number; readonly inputs: readonly Input[] };
  };
}
interface Body {
  readonly vulnerabilities: readonly Row[];
  readonly generatedAt: string;
  readonly upstreamUnavailable: boolean;
  readonly available: boolean;
}

describeOnce("GetCountryVulnerabilities", (openFresh) => {
  let now = testTime;
  const supply = inventedSupply(() => now);
  let app: TestApp;
  beforeAll(async () => {
    for (const iso2 of withoutImports) supply.importers.delete(iso2);
    app = await startApp(await openFresh(), supply);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const inputs = ["country-imports", "chokepoint-status", "mineral-production", "supply-buffers"];
  /** What is refreshed at this time, and the scores after it. */
  const after = async (days: number, refreshed: readonly string[]) => {
    now = new Date(testTime.getTime() + days * dayMs);
    app.setTime(now);
    for (const dataset of refreshed) await app.refresh(dataset);
    await app.refresh("supply-vulnerability");
  };
  const read = (iso2: string) => app.json<Body>(`${path}?iso2=${iso2}`);
  const rowOf = async (iso2: string, id: string) => {
    const row = (await read(iso2)).vulnerabilities.find(({ commodityId }) => commodityId === id);
    if (!row) throw new Error(`${iso2} has no ${id}`);
    return row;
  };
  const verdict = ({ state, reasons, hasScore, band }: Row) => ({ state, reasons, hasScore, band });
  const without = (state: string, ...reasons: string[]) => ({ state, reasons, hasScore: false, band: "" });

  test("before a set is published it is empty, says so, and is never kept", async () => {
    const response = await app.get(`${path}?iso2=jp`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({
      ...{ iso2: "JP", country: "Japan", vulnerabilities: [], generatedAt: "" },
      ...{ methodologyVersion: "supply-vulnerability-v2.0.0", upstreamUnavailable: true, available: false },
    });
  });

  test.each(["", "iso2=", "iso2=JPN", "iso2=J1", "iso2=JP'%20or%201%3D1--", "iso2=%00%00"])(
    "%j is refused with the parameter's name",
    async (query) => expect(await app.refused(`${path}?${query}`)).toEqual(["iso2"]),
  );

  test("live, a set of too few countries or without a followed chokepoint is not published, and health says why", async () => {
    const others = [...supply.importers].slice(109);
    for (const iso2 of others) supply.importers.delete(iso2);
    supply.silent.add("suez");
    for (const dataset of inputs) await app.refresh(dataset);
    await expect(app.refresh("supply-vulnerability")).rejects.toThrow(
      "imports of 109 of 110 countries, ships at 6 of 7 chokepoints",
    );
    expect(await read("JP")).toMatchObject({ available: false, vulnerabilities: [] });
    const { datasets } = await app.json<{ datasets: DatasetCondition[] }>("/api/health");
    const { state, sources } = datasets.find(({ name }) => name === "supply-vulnerability") ?? {};
    expect([state, sources?.[0]?.state]).toEqual(["empty", "failed"]);
    expect(sources?.[0]?.error).toBe("What is stored is not enough to be published");
    for (const iso2 of others) supply.importers.add(iso2);
    supply.silent.clear();
    // The yearly imports are not asked for again within 22 days.
    await after(30, inputs);
    expect(await read("JP")).toMatchObject({ available: true, upstreamUnavailable: false });
  });

  test("all 23 commodities come, scores first and highest first, and every figure is behind them", async () => {
    const response = await app.get(`${path}?iso2=jp`);
    expect(response.headers.get("x-data-origin")).toBeNull();
    expect(response.headers.get("cache-control")).toMatch(/^private/);
    const { vulnerabilities } = (await response.json()) as Body;
    expect(vulnerabilities.map(({ commodityId }) => commodityId).toSorted()).toEqual(
      commodities.map(({ id }) => id).toSorted(),
    );
    const scores = vulnerabilities.map(({ score }) => score ?? -1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const cobalt = await rowOf("JP", "cobalt");
    // Imports .25 + .09 + .04; production .25 x .38 + .75 x .68.
    expect(cobalt.components.sourceConcentration).toMatchObject({
      ...{ importHhi: 0.38, mineHhi: 0.38, refineryHhi: 0.68, productionHhi: 0.605, value: 0.4813 },
      ...{ productionCoverage: "mine_and_refinery", coverage: "import_and_production" },
    });
    expect(cobalt.components.sourceConcentration.inputs.map(({ sourceKey, value }) => [sourceKey, value])).toEqual([
      ["un-comtrade", 0.38],
      ["usgs-mcs", 0.38],
      ["usgs-mcs", 0.68],
    ]);
    expect(cobalt.coverage).toEqual(["buffer_unknown", "source_import_and_production", "transit_status_uncovered"]);
    const exposures = await app.json<{ exposures: { chokepointId: string; exposureScore: number }[] }>(
      "/api/supply-chain/v1/get-country-chokepoint-index?iso2=JP&hs2=81",
    );
    expect(
      Object.fromEntries(cobalt.components.transitExposure.chokepoints.map((one) => [one.id, one.transitShare])),
    ).toEqual(
      Object.fromEntries(
        exposures.exposures
          .filter(({ exposureScore }) => exposureScore > 0)
          .map(({ chokepointId, exposureScore }) => [chokepointId, Math.round(exposureScore * 10) / 1000]),
      ),
    );
    expect((await rowOf("JP", "ree")).components.sourceConcentration.inputs[0]?.detail).toContain("covers more than");
  });

  test("the scores of all countries can be recomputed from their components in twenty lines", async () => {
    let recomputed = 0;
    for (const iso2 of [...supply.importers, ...withoutImports]) {
      for (const { score, components, state, reasons } of (await read(iso2)).vulnerabilities) {
        const { sourceConcentration, transitExposure, buffer } = components;
        const [c, b] = [sourceConcentration.value, buffer.vulnerability];
        let spared = 1;
        for (const { weightedTransitShare } of transitExposure.chokepoints) spared *= 1 - (weightedTransitShare ?? 0);
        if (transitExposure.value !== undefined) expect(transitExposure.value).toBeCloseTo(1 - spared, 3);
        expect(state === "ok").toBe(reasons.length === 0);
        if (score === undefined) continue;
        const t = transitExposure.value ?? Number.NaN;
        const base = 0.45 * (c ?? Number.NaN) + 0.25 * t + 0.2 * (c ?? Number.NaN) * t;
        expect(Math.abs(score - 100 * (b === undefined ? base / 0.9 : base + 0.1 * b))).toBeLessThanOrEqual(0.005001);
        recomputed++;
      }
    }
    expect(recomputed).toBeGreaterThan(4000);
  });

  test("a country without imports is scored by production alone; what nobody mines has no score there", async () => {
    expect((await rowOf("KG", "cobalt")).components.sourceConcentration).toMatchObject({
      ...{ coverage: "production_only", value: 0.605 },
    });
    const crude = await rowOf("KG", "crude_oil");
    expect(verdict(crude)).toEqual(without("insufficient_data", "missing_source_concentration"));
    expect(crude.components.sourceConcentration).toMatchObject({ hasValue: false, coverage: "unknown", inputs: [] });
    expect(crude).not.toHaveProperty("score");
  });

  test("routes that pass no chokepoint are a measured zero; a country without routes has no exposure", async () => {
    const measured = (await rowOf("BB", "cobalt")).components.transitExposure;
    expect(measured).toMatchObject({ hasValue: true, value: 0, chokepoints: [] });
    const unknown = await rowOf("BT", "cobalt");
    expect(verdict(unknown)).toEqual(without("insufficient_data", "missing_transit_exposure"));
    expect(unknown.components.transitExposure).toEqual({ hasValue: false, chokepoints: [], inputs: [] });
  });

  test("stocks of zero days are known and leave a vulnerability of 1; a country that tells of none is unknown", async () => {
    expect((await rowOf("KR", "crude_oil")).components.buffer).toMatchObject({
      ...{ state: "known", vulnerability: 1, kind: "fuel_stock_days", inputs: [{ value: 0, hasValue: true }] },
    });
    expect((await rowOf("JP", "crude_oil")).components.buffer).toMatchObject({ state: "known", vulnerability: 0.5 });
    const unknown = await rowOf("TR", "crude_oil");
    expect(unknown.components.buffer).toEqual({ state: "unknown", kind: "fuel_stock_days", inputs: [] });
    expect([unknown.hasScore, unknown.coverage.includes("buffer_unknown")]).toEqual([true, true]);
  });

  test("figures of the British Geological Survey show nowhere, and do not make a score", async () => {
    const alone = await rowOf("KG", "uranium");
    expect(verdict(alone)).toEqual(
      without("insufficient_data", "missing_source_concentration", "redistribution_blocked"),
    );
    expect(alone.components.sourceConcentration).toMatchObject({
      ...{ productionCoverage: "redistribution_blocked", hasValue: false },
      inputs: [{ sourceKey: "bgs", hasValue: false }],
    });
    const beside = await rowOf("JP", "uranium");
    expect(beside).toMatchObject({ state: "ok", components: { sourceConcentration: { value: 0.38 } } });
    expect(beside.coverage).toContain("redistribution_blocked");
    expect(JSON.stringify([alone, beside])).not.toContain("0.625");
  });

  test("a disrupted chokepoint weighs 1.35 times", async () => {
    const before = await rowOf("TR", "wheat");
    supply.disrupted.add("suez");
    await after(31, inputs);
    const disrupted = await rowOf("TR", "wheat");
    const suez = disrupted.components.transitExposure.chokepoints.find(({ id }) => id === "suez");
    expect(suez).toMatchObject({ status: "disrupted", inputs: [{ sourceKey: "portwatch", hasValue: true }] });
    expect(suez?.weightedTransitShare).toBeCloseTo(1.35 * (suez?.transitShare ?? 0), 4);
    expect(disrupted.score).toBeGreaterThan(before.score ?? 100);
    supply.disrupted.clear();
  });

  test.each([
    ["exposures", 40, ["chokepoint-status", "supply-buffers"], "", "wheat", "stale_transit_exposure"],
    ["counts of ships", 80, ["country-imports", "chokepoint-status", "supply-buffers"], "portWatch", "wheat"],
    ["gas stores", 120, ["country-imports", "chokepoint-status", "supply-buffers"], "agsi", "lng", "stale_buffer"],
    ["imports", 200, inputs, "comtrade", "crude_oil", "stale_source_concentration"],
    ["production", 700, inputs, "usgs", "cobalt", "stale_source_concentration"],
  ] as const)("old %s leave no score: stale_input", async (...row) => {
    const [what, days, refreshed, source, commodity, reason = "stale_transit_exposure"] = row;
    if (source) supply.down.add(source);
    await after(days, refreshed);
    const old = await rowOf("DE", commodity);
    expect(old.state, what).toBe("stale_input");
    expect([old.hasScore, old.band, "score" in old]).toEqual([false, "", false]);
    expect(old.reasons).toContain(reason);
    expect(old.reasons.every((one) => one.startsWith("stale_"))).toBe(true);
    const { sourceConcentration, transitExposure, buffer } = old.components;
    const ofShips = transitExposure.chokepoints.flatMap((one) => one.inputs);
    const evidence = [...sourceConcentration.inputs, ...transitExposure.inputs, ...ofShips, ...buffer.inputs];
    expect(evidence.some(({ stale }) => stale)).toBe(true);
    supply.down.clear();
    // Imports are not asked for again sooner.
    await after(days + 25, inputs);
    expect((await rowOf("DE", commodity)).state).toBe("ok");
  });

  test("ships that are too few to tell of leave no score where they pass; where nobody follows them nothing is missing", async () => {
    await using young = await startApp(await openFresh(), supply);
    supply.young.add("suez");
    now = testTime;
    for (const dataset of [...inputs, "supply-vulnerability"]) await young.refresh(dataset);
    supply.young.clear();
    const { vulnerabilities } = await young.json<Body>(`${path}?iso2=TR`);
    for (const row of vulnerabilities) {
      const suez = row.components.transitExposure.chokepoints.find(({ id }) => id === "suez");
      expect(suez).toMatchObject({ status: "unknown", inputs: [{ hasValue: false }] });
      expect(suez).not.toHaveProperty("weightedTransitShare");
      expect(verdict(row)).toEqual(without("insufficient_data", "missing_transit_status"));
      expect(row.coverage).toContain("transit_status_unknown");
      expect(row.components.transitExposure).not.toHaveProperty("value");
    }
    const { vulnerabilities: spared } = await young.json<Body>(`${path}?iso2=BB`);
    expect(spared.find(({ commodityId }) => commodityId === "cobalt")).toMatchObject({ state: "ok", hasScore: true });
  });

  test("what is missing weighs more than what is old, and both are told", async () => {
    await after(735, ["chokepoint-status"]);
    const row = await rowOf("KG", "crude_oil");
    expect(verdict(row)).toEqual(
      without("insufficient_data", "missing_source_concentration", "stale_transit_exposure"),
    );
  });

  test("a second source of minerals that stays away makes the first one's figures no older", async () => {
    supply.down.add("bgs");
    await after(1150, inputs);
    supply.down.clear();
    const { state, components } = await rowOf("DE", "cobalt");
    expect(state).toBe("ok");
    expect(components.sourceConcentration.inputs).toMatchObject([
      { sourceKey: "un-comtrade" },
      ...["usgs-mcs", "usgs-mcs"].map((sourceKey) => ({ sourceKey, stale: false, fetchedAt: now.toISOString() })),
    ]);
  });
});

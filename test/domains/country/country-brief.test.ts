import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/contract/request/body.ts";
import { countries } from "../../../src/reference/countries/countries.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";
import { openLoaded } from "../../support/loaded.ts";
import { someOf } from "../../support/thoroughness.ts";

const path = "/api/country/v1/get-country-brief";

interface State {
  readonly availability: string;
  readonly reason: string;
  readonly asOf?: number;
  readonly origin: string;
  readonly sources: readonly string[];
  readonly operation: string;
  readonly path: string;
  readonly requiredTier: number;
}

interface Vulnerable {
  readonly vulnerabilities: readonly {
    readonly components: {
      readonly buffer: {
        readonly kind: string;
        readonly inputs: readonly { readonly value: number; readonly detail: string }[];
      };
    };
  }[];
}

type Brief = Readonly<Record<string, (JsonObject & { readonly state: State }) | undefined>>;

const statesOf = (brief: Brief) =>
  Object.entries(brief).flatMap(([name, part]) => (part?.state ? [[name, part.state] as const] : []));
const availabilities = (brief: Brief) =>
  Object.fromEntries(
    statesOf(brief).map(([name, { availability }]) => [name, availability.replace("PART_AVAILABILITY_", "")]),
  );

describe("A country brief of loaded data", () => {
  let database: Database;
  let app: TestApp;
  const briefOf = async (country: string) => app.json<Brief>(`${path}?country=${country}`);
  beforeAll(async () => {
    database = await openLoaded();
    app = await startApp(database);
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  test("has every part, each with its time, sources and the request for all of it", async () => {
    const brief = await briefOf("FR");
    expect(Object.entries(availabilities(brief)).filter(([, each]) => each !== "AVAILABLE")).toEqual([]);
    expect(brief.country).toMatchObject({ alpha2: "FR", alpha3: "FRA", numeric: "250", name: "France" });
    for (const [, state] of statesOf(brief)) {
      expect(state.asOf).toBeGreaterThan(0);
      expect(state.sources.length).toBeGreaterThan(0);
      expect(state.origin).toBe("sample");
      expect((await app.get(state.path)).status).toBe(200);
    }
  });

  test("returns the same as the operations that its parts name", async () => {
    const brief = await briefOf("UA");
    const whole = async (part: string) => app.json<JsonObject>(brief[part]?.state.path ?? "");
    expect((await whole("risk")).ciiScores).toEqual([brief.risk?.score]);
    const { events } = await app.json<{ events: readonly { fatalities: number }[] }>(brief.conflict?.state.path ?? "");
    expect(brief.conflict).toMatchObject({
      events: events.length,
      fatalities: events.reduce((sum, { fatalities }) => sum + fatalities, 0),
      latest: events.slice(0, 5),
    });
    expect(brief.resilience?.overallScore).toBe((await whole("resilience")).overallScore);
    expect(brief.bases?.bases).toBe((await whole("bases")).totalInView);
    expect((await whole("outages")).pagination).toMatchObject({ totalCount: brief.outages?.outages });
    const { flows } = await app.json<{ flows: readonly unknown[] }>(brief.trade?.state.path ?? "");
    expect(brief.trade?.flow).toEqual(flows.at(-1));
  });

  test("says of parts above the caller's tier which tier has them, and keeps the others", async () => {
    const response = await app.get(`${path}?country=FR`, { key: await app.key("free") });
    expect(response.status).toBe(200);
    const brief: Brief = JSON.parse(await response.text());
    const rejected = statesOf(brief).filter(
      ([, { availability }]) => availability === "PART_AVAILABILITY_NOT_ENTITLED",
    );
    expect(rejected.map(([name]) => name)).toEqual(
      statesOf(brief).flatMap(([name, { requiredTier }]) => (requiredTier > 0 ? [name] : [])),
    );
    for (const [name, { reason }] of rejected) expect(reason, name).not.toBe("");
    expect(brief.tariffs?.tariff).toBeUndefined();
    expect(brief.defense?.suppliers).toEqual([]);
    expect(brief.conflict?.events).toBeGreaterThanOrEqual(0);
  });

  test("has no count of bases in Antarctica, where none has a host country", async () => {
    const { bases } = await briefOf("AQ");
    expect([bases?.state.availability, bases?.bases]).toEqual(["PART_AVAILABILITY_NOT_COVERED", undefined]);
    expect((await briefOf("AX")).bases?.state.availability).toBe("PART_AVAILABILITY_AVAILABLE");
  });

  test("is answered for every country, and never holds a figure of what is not covered", async () => {
    const figures: Readonly<Record<string, string>> = {
      risk: "score",
      resilience: "overallScore",
      conflict: "events",
      outages: "outages",
      chokepoints: "vulnerabilityIndex",
      trade: "flow",
      tariffs: "tariff",
      bases: "bases",
      tenders: "open",
      gas: "fillPct",
    };
    const seen = new Set<string>();
    for (const code of someOf([...countries.keys()], 4)) {
      const brief = await briefOf(code);
      const found = availabilities(brief);
      expect(Object.values(found), code).not.toContain("UNAVAILABLE");
      for (const [part, availability] of Object.entries(found)) seen.add(`${part} ${availability}`);
      for (const [part, figure] of Object.entries(figures))
        expect(brief[part]?.[figure] !== undefined, `${code} ${part}`).toBe(found[part] === "AVAILABLE");
    }
    // Every part is available somewhere, and nearly every part is missing somewhere.
    expect(seen.size).toBeGreaterThanOrEqual(24);
  });

  test("shows a country's own gas storage if it is known, and otherwise names the Union's as such", async () => {
    const { state, ...own } = (await briefOf("DE")).gas ?? {};
    const vulnerabilities = await app.json<Vulnerable>(`${state?.path}`);
    const [fill] = vulnerabilities.vulnerabilities.flatMap(({ components: { buffer } }) =>
      buffer.kind === "gas_storage_fill" ? buffer.inputs : [],
    );
    expect(own).toEqual({ fillPct: fill?.value, gasDay: fill?.detail.slice(-10), area: "DE", trend: "" });
    expect(state?.sources).toEqual(["agsi-countries"]);
    const union = await app.json<JsonObject>("/api/economic/v1/get-eu-gas-storage");
    const ofUnion = { fillPct: union.fillPct, trend: union.trend, gasDay: union.updatedAt, area: "EU" };
    expect((await briefOf("LU")).gas).toMatchObject(ofUnion);
    const free = await app.get(`${path}?country=DE`, { key: await app.key("free") });
    expect(((await free.json()) as Brief).gas).toMatchObject(ofUnion);
    expect(availabilities(await briefOf("GB"))).toMatchObject({ gas: "AVAILABLE" });
  });

  test("says where no gas storage is known, and that Kosovo has no numeric code", async () => {
    const [turkey, kosovo] = [await briefOf("TR"), await briefOf("XK")];
    expect(availabilities(turkey)).toMatchObject({ gas: "NOT_APPLICABLE" });
    expect(turkey.gas?.state).toMatchObject({
      operation: "GetEuGasStorage",
      path: "/api/economic/v1/get-eu-gas-storage",
    });
    for (const [part, operation, path] of [
      ["trade", "GetTradeFlows", "/api/trade/v1/get-trade-flows"],
      ["tariffs", "GetTariffTrends", "/api/trade/v1/get-tariff-trends"],
    ] as const)
      expect(kosovo[part]?.state).toMatchObject({
        availability: "PART_AVAILABILITY_NOT_COVERED",
        reason: "The country has no UN M49 code",
        ...{ operation, path },
      });
  });

  test("is found by any form of the country, and refuses what is none", async () => {
    for (const country of ["de", "DEU", "276", "Germany"])
      expect((await briefOf(country)).country).toMatchObject({ alpha2: "DE" });
    expect(await app.rejected(`${path}?country=Atlantis`)).toEqual(["country"]);
    expect(await app.rejected(`${path}?country_code=ZZ`)).toEqual(["country_code"]);
    expect(await app.rejected(path)).toEqual(["country_code"]);
  });

  test("requires a key, is not cached, says that it holds samples, and leads to its sources' terms", async () => {
    expect((await app.get(`${path}?country=DE`, { key: null })).status).toBe(401);
    const { headers } = await app.get(`${path}?country=DE`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-data-origin")).toBe("sample");
    expect(headers.get("link")).toContain('rel="license"');
  });
});

describeOnce("A country brief before anything was loaded", (openFresh) => {
  test("reports each part whose data cannot be served, and returns no zero instead", async () => {
    await using app = await startApp(await openFresh());
    const brief = await app.json<Brief>(`${path}?country=FR`);
    for (const [name, state] of statesOf(brief)) {
      // The constants of the score are known without any data.
      expect(state.availability, name).toBe(`PART_AVAILABILITY_${name === "risk" ? "DEGRADED" : "UNAVAILABLE"}`);
      expect(state.reason, name).not.toBe("");
    }
    const { missingInputs } = await app.json<JsonObject>("/api/intelligence/v1/get-risk-scores?country=FR");
    expect(brief.risk?.missingInputs).toEqual(missingInputs);
    expect(missingInputs).toContain("acled");
    for (const part of ["conflict", "outages", "bases", "tenders"])
      expect(Object.values(brief[part] ?? {}).filter((value) => typeof value === "number")).toEqual([]);
  });
});

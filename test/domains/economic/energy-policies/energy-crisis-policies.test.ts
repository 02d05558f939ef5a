import { afterAll, beforeAll, expect, test } from "vitest";
import {
  forgetImportedPolicies,
  importPolicies,
} from "../../../../src/domains/economic/energy-policies/energy-crisis-policies.ts";
import { InvalidRequest } from "../../../../src/errors.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const path = "/api/economic/v1/get-energy-crisis-policies";
const head = "country_code,category,sector,measure,date_announced,status,source,source_url,reviewed_on";
const mine = `${head}\nFJ,conservation,Transport,Free buses on Mondays,2026-04-02,planned,Our own notes,,2026-04-05\n`;
const me = { source: "Our desk", sourceUrl: "https://desk.example" };

interface Body {
  readonly source: string;
  readonly sourceUrl: string;
  readonly policies: readonly Policy[];
  readonly updatedAt: string;
  readonly unavailable: boolean;
}

interface Policy {
  readonly country: string;
  readonly countryCode: string;
  readonly category: string;
  readonly dateAnnounced: string;
  readonly source: string;
}

describeEachDatabase("GetEnergyCrisisPolicies", (openFresh) => {
  let app: TestApp;
  let database: Database;
  let all: readonly Policy[];
  let floor = 30;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { outside: { floorOf: () => floor } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh there is no list: unavailable and never kept, whatever is asked", async () => {
    for (const query of ["", "?country_code=ES"]) {
      const response = await app.get(`${path}${query}`);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      const empty = { source: "", sourceUrl: "", context: "", policies: [], updatedAt: "", unavailable: true };
      expect(await response.json()).toEqual(empty);
    }
  });

  test("after a refresh our own list is there, each with its source, as old as its last review", async () => {
    await app.refresh("energy-crisis-policies");
    const body = await app.json<Body>(path);
    all = body.policies;
    expect(all.length).toBeGreaterThanOrEqual(30);
    expect(body).toMatchObject({
      source: "Intelligence Data Service, curated list",
      sourceUrl: "",
      unavailable: false,
    });
    expect(body.updatedAt).toMatch(/^2026-\d\d-\d\dT00:00:00\.000Z$/);
    for (const { source } of all) expect(source).not.toBe("");
    const countries = all.map(({ country }) => country);
    expect(countries).toEqual(countries.toSorted(new Intl.Collator("en").compare));
  });

  test("a country and a category return exactly their rows, in either case, separately and together", async () => {
    const of = (country: string, category: string) =>
      all.filter((row) => (!country || row.countryCode === country) && (!category || row.category === category));
    for (const [country, category] of [
      ["ES", ""],
      ["", "conservation"],
      ["", "consumer_support"],
      ["ES", "conservation"],
    ] as const)
      for (const query of [
        `country_code=${country}&category=${category}`,
        `countryCode=${country.toLowerCase()}&category=${category.toUpperCase()}`,
      ]) {
        const { policies } = await app.json<Body>(`${path}?${query}`);
        expect(policies).toEqual(of(country, category));
        expect(policies.length).toBeGreaterThan(0);
      }
  });

  test("a country without a measure is an empty list that was looked through, and not an absent one", async () => {
    const body = await app.json<Body>(`${path}?country_code=AQ`);
    expect(body).toMatchObject({ policies: [], unavailable: false });
    expect(body.updatedAt).not.toBe("");
  });

  test.each([
    ["country_code=ZZ", "country_code"],
    ["country_code=E", "country_code"],
    ["country_code=E1", "country_code"],
    ["category=taxes", "category"],
    ["category=conservation,consumer_support", "category"],
    ["category=consumer%20support", "category"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });

  test("the refusal of a category names the ones there are", async () => {
    expect(await (await app.get(`${path}?category=taxes`)).text()).toMatch(/conservation.*consumer_support/);
  });

  test("when the list is refused the last one stays, and health says so", async () => {
    floor = 10_000;
    await app.refresh("energy-crisis-policies");
    expect((await app.json<Body>(path)).policies).toEqual(all);
    expect(await app.condition("energy-crisis-policies")).toMatchObject({
      state: "degraded",
      sources: [{ state: "refused" }],
    });
    floor = 30;
  });

  test("the operator's list replaces the built-in one with the next refresh, and itself with another import", async () => {
    await importPolicies(database.kysely, `\ufeff${mine}`, { ...me, source: "An earlier one" });
    expect(await importPolicies(database.kysely, mine, me)).toBe(1);
    expect((await app.json<Body>(path)).policies).toEqual(all);
    await app.refresh("energy-crisis-policies");
    expect(await app.json<Body>(path)).toMatchObject({
      ...me,
      updatedAt: "2026-04-05T00:00:00.000Z",
      policies: [{ country: "Fiji", countryCode: "FJ", dateAnnounced: "2026-04-02" }],
    });
    await app.refresh("energy-crisis-policies");
    expect((await app.json<Body>(path)).policies).toHaveLength(1);
  });

  test.each([
    [
      "a bad row among good ones",
      mine.concat("XX,conservation,Other,x,2026-01-01,active,me,,2026-01-01\n"),
      me,
      /^line 3: /,
    ],
    ["no row", head, me, /no policies/],
    ["an address that is none", mine, { ...me, sourceUrl: "desk" }, /https/],
  ])("a list with %s is refused, and the one before stays", async (_title, text, attribution, message) => {
    const rejected = importPolicies(database.kysely, text, attribution);
    await expect(rejected).rejects.toThrow(InvalidRequest);
    await expect(rejected).rejects.toThrow(message);
    await app.refresh("energy-crisis-policies");
    expect((await app.json<Body>(path)).source).toBe("Our desk");
  });

  test("without the operator's list ours is there again", async () => {
    expect(await forgetImportedPolicies(database.kysely)).toBe(true);
    expect(await forgetImportedPolicies(database.kysely)).toBe(false);
    await app.refresh("energy-crisis-policies");
    expect((await app.json<Body>(path)).policies).toEqual(all);
  });

  test("the built-in list is not a sample among samples, because its measures are real", async () => {
    await using sample = await startApp(await openFresh());
    await sample.refresh("energy-crisis-policies");
    expect((await sample.get(path)).headers.get("x-data-origin")).toBeNull();
  });
});

import { existsSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { datasets, lookups } from "../../../src/domains/index.ts";
import { geocoder } from "../../../src/domains/infrastructure/reverse-geocoder.ts";
import { createUpstreams } from "../../../src/ingest/upstreams.ts";
import { sampleDays, sampleIndex, sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import { testTime } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";

const root = new URL("../../../sample/", import.meta.url);
const folders = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
const clock = () => testTime;
/** Built-in lists: they send no requests. */
const withoutNetwork = datasets.flatMap(({ sources }) => sources.flatMap(({ name, own }) => (own ? [name] : [])));
const sources = [
  ...new Set(datasets.flatMap((dataset) => dataset.sources.map(({ name }) => name))),
  // Where a geocoder is set, it is asked in sample mode too.
  ...lookups.map(({ name }) => name).filter((name) => name !== geocoder.name),
];

test("the newest events of a sample are of the last seven days at any time, never of days to come", async () => {
  const instant = fc.date({ min: new Date("2026-11-01"), max: new Date("2036-11-01"), noInvalidDate: true });
  const latest = async (now: Date) => {
    const upstream = sampleUpstream("acled", () => now);
    const body = await upstream.text({ url: "https://acleddata.com/api/acled/read?page=1&event_type=Battles" });
    return (body.match(/\d{4}-\d\d-\d\d/g) ?? []).toSorted((a, b) => b.localeCompare(a))[0] ?? "";
  };
  expect(await latest(new Date("2026-11-01T00:00:00Z"))).toBe("2026-11-01");
  await fc.assert(
    fc.asyncProperty(instant, async (now) => {
      const age = now.getTime() - Date.parse(await latest(now));
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(7 * 86_400_000);
    }),
    { numRuns: 15 },
  );
});

test("answers are found by their address and query", async () => {
  const upstream = sampleUpstream("mirta", clock);
  const place = "https://services7.arcgis.com/n1YM8pTrFmm7L4hs/arcgis/rest/services/mirta/FeatureServer";
  const [first, second, boundaries] = await Promise.all(
    ["0/query?resultOffset=0&f=geojson", "0/query?f=geojson&resultOffset=120", "1/query?resultOffset=0"].map((rest) =>
      upstream.text({ url: `${place}/${rest}` }),
    ),
  );
  expect(new Set([first, second, boundaries]).size).toBe(3);
});

test("answers are found by a regular expression", async () => {
  const upstream = sampleUpstream("ucdp", clock);
  const page = (release: string) => upstream.json({ url: `https://any.host/api/gedevents/${release}?page=0` });
  expect(await page("26.0.7")).toEqual(await page("27.0.1"));
  expect(await page("26.1")).not.toEqual(await page("26.0.7"));
});

test("answers are found by the address of a form", async () => {
  const upstream = sampleUpstream("acled", clock);
  const form = { username: upstream.variable("ACLED_EMAIL"), grant_type: "password" };
  expect(await upstream.json({ url: "https://acleddata.com/oauth/token", form })).toHaveProperty("access_token");
});

test.each([
  ["acled", "https://acleddata.com/api/acled/read?page=2"],
  ["acled", "https://acleddata.com/api/acled/write?page=1"],
  ["ucdp", "https://ucdpapi.pcr.uu.se/api/gedevents/26.0.9?page=0"],
  ["no-such-source", "https://example.org/"],
])("what the sample of %s has no response for (%s) is a failure", async (source, url) => {
  await expect(sampleUpstream(source, clock).text({ url })).rejects.toMatchObject({
    name: "UpstreamError",
    message: `The sample of ${source} has no response for ${url}`,
    status: 404,
  });
});

test("samples need no pauses between requests", async () => {
  const before = performance.now();
  await sampleUpstream("wto-tariffs", clock).pause?.(60_000);
  expect(performance.now() - before).toBeLessThan(1_000);
});

test("every source has samples, and there are none of others", () => {
  expect(new Set(folders)).toEqual(new Set(sources.filter((name) => !withoutNetwork.includes(name))));
});

test.each(folders)("the samples of %s say what they are, and name exactly the files that are there", (folder) => {
  const index = sampleIndex(folder);
  expect(index?.note).toMatch(/illustrative/i);
  const files = index?.responses.map(({ file }) => file) ?? [];
  const named = files.filter((file) => !file.startsWith("../"));
  const series = [index?.series, index?.editions].filter((file) => file !== undefined);
  expect(new Set(readdirSync(new URL(`${folder}/`, root)))).toEqual(new Set([...named, ...series, "sample.json"]));
  for (const response of index?.responses ?? []) {
    expect([response.url, response.match].filter((place) => place !== undefined)).toHaveLength(1);
    expect(existsSync(new URL(`${folder}/${response.file}`, root))).toBe(true);
    if (response.match !== undefined) expect(() => new RegExp(response.match ?? "")).not.toThrow();
  }
});

test("the samples of the metals have a history of 90 prints or more, on the same days in every source", () => {
  const days = ["sge", "yahoo-metals", "ecb-exr"].map((source) => sampleDays(source, testTime));
  expect(days[0]?.length).toBeGreaterThanOrEqual(90);
  expect(new Set(days.map(String)).size).toBe(1);
});

test("the series shows the response of earlier days, and today's file shows today", async () => {
  const url = "https://en.sge.com.cn/data_BenchmarkPrice_Daily";
  const newest = async (daysBefore: number) => {
    const upstream = sampleUpstream("sge", clock, daysBefore);
    expect(testTime.getTime() - upstream.now.getTime()).toBe(daysBefore * 86_400_000);
    return /<td>(\d{8})<\/td>/.exec(await upstream.text({ url }))?.[1];
  };
  expect([await newest(0), await newest(1), await newest(90)]).toEqual(["20261117", "20261116", "20260819"]);
});

test("the sample's newest gas day has ended and was published, whatever the weekday", async () => {
  for (let days = 0; days < 7; days++) {
    const now = new Date(testTime.getTime() + days * 86_400_000);
    const upstream = sampleUpstream("agsi", () => now);
    const response = await upstream.text({ url: "https://agsi.gie.eu/api?type=eu&size=40" });
    const newest = /"gas_day":\s*"([\d-]+)"/.exec(response)?.[1];
    expect(newest).toBe(new Date(now.getTime() - 2 * 86_400_000).toISOString().slice(0, 10));
  }
});

test.each([
  ["2027-01-01T00:00:00Z", "M11"],
  ["2027-01-10T23:00:00Z", "M11"],
  ["2027-01-11T00:00:00Z", "M12"],
])("at %s the sample's newest payrolls are those of month %s", async (now, period) => {
  const upstream = sampleUpstream("bls", () => new Date(now));
  const response = await upstream.text({ url: "https://api.bls.gov/publicAPI/v2/timeseries/data/" });
  expect(/"period":\s*"(M\d\d)"/.exec(response)?.[1]).toBe(period);
});

describeOnce("The samples", (openFresh) => {
  test.each([0, 400])(
    "yield at least the rows that they state, through the real pipeline, %i days later",
    async (days) => {
      const now = new Date(testTime.getTime() + days * 86_400_000);
      const { kysely: database } = await openFresh();
      const upstreams = createUpstreams(
        readConfig({ IDS_DATA: "sample" }),
        () => now,
        () => 0.5,
      );
      for (const dataset of datasets) {
        const { sources: outcomes } = await dataset.refresh({ database, upstreams });
        expect(outcomes.filter(({ state }) => state !== "ok")).toEqual([]);
      }
      const stored = await database
        .selectFrom("source")
        .select(["dataset", "source", "rows_out", "observed_to"])
        .execute();
      for (const { dataset, source, rows_out, observed_to } of stored) {
        // A dataset without sources notes its own making.
        if (source === dataset) continue;
        expect(rows_out, source).toBeGreaterThanOrEqual(sampleIndex(source)?.rows ?? 1);
        if (observed_to) expect(observed_to.getTime()).toBeLessThanOrEqual(now.getTime());
      }
    },
  );
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const minuteMs = 60_000;

interface Reading {
  readonly value: number;
  readonly priorValue?: number;
  readonly hasPrior?: boolean;
  readonly date: string;
  readonly unit: string;
  readonly series: readonly { readonly date: string; readonly value: number }[];
}

interface Indicator {
  readonly countries: Readonly<Record<string, Reading>>;
  readonly seededAt?: number;
  readonly dataset: string;
  readonly label: string;
}

interface Body {
  readonly cached_at?: string;
  readonly stale: boolean;
  readonly data: Readonly<Record<string, Indicator>>;
}

const operations = [
  {
    dataset: "eu-housing-cycle",
    source: "eurostat-house-prices",
    name: "house-prices",
    ...{ table: "prc_hpi_a", unit: "I15_A_AVG", points: 10, newest: "2025", freshMinutes: 72_000 },
  },
  {
    dataset: "eu-quarterly-gov-debt",
    source: "eurostat-gov-debt",
    name: "gov-debt-q",
    ...{ table: "gov_10q_ggdebt", unit: "PC_GDP", points: 8, newest: "2026-Q2", freshMinutes: 20_160 },
  },
  {
    dataset: "eu-industrial-production",
    source: "eurostat-industrial-production",
    name: "industrial-production",
    ...{ table: "sts_inpr_m", unit: "I21", points: 12, newest: "2026-09", freshMinutes: 7_200 },
  },
] as const;

describeEachDatabase("The indicators of the European Union", (openFresh) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  describe.each(operations)("$dataset", ({ dataset, name, table, unit, points, newest }) => {
    const path = `/api/economic/v1/get-${dataset}`;
    let all: Indicator;
    const reported = async (query = "") => (await app.json<Body>(`${path}?${query}`)).data[name]?.countries ?? {};

    test("before the first refresh there are no places, no time, and the answer is stale and never kept", async () => {
      const response = await app.get(path);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(await response.json()).toEqual({
        stale: true,
        data: { [name]: { countries: {}, dataset: table, label: expect.stringMatching(/./) } },
      });
    });

    test("after a refresh a free key reads all 29 places, labelled as samples", async () => {
      await app.refresh(dataset);
      const response = await app.get(path, { key: await app.key("free") });
      expect([response.status, response.headers.get("x-data-origin")]).toEqual([200, "sample"]);
      expect(response.headers.get("cache-control")).toMatch(/max-age=/);
      const body = (await response.json()) as Body;
      expect(body).toMatchObject({ cached_at: testTime.toISOString(), stale: false });
      expect(Object.keys(body.data)).toEqual([name]);
      all = body.data[name] as Indicator;
      expect(all).toMatchObject({ seededAt: testTime.getTime(), dataset: table });
      expect(Object.keys(all.countries)).toHaveLength(29);
      expect(Object.keys(all.countries).slice(-2)).toEqual(["EA21", "EU27_2020"]);
    });

    test("a place has its newest value, the one before it, and the series they end, oldest first", () => {
      const { series, ...latest } = all.countries.DE as Reading;
      expect(series).toHaveLength(points);
      expect(series.map(({ date }) => date)).toEqual(series.map(({ date }) => date).toSorted());
      expect(latest).toEqual({
        value: series.at(-1)?.value,
        priorValue: series.at(-2)?.value,
        hasPrior: true,
        date: series.at(-1)?.date,
        unit,
      });
      expect(all.countries.EU27_2020).toMatchObject({ date: newest });
    });

    test("limit cuts in the stored order: absent, 0 and 30 cut nothing of 29, 5 gives the first five", async () => {
      for (const query of ["", "limit=", "limit=0", "limit=30"]) expect(await reported(query)).toEqual(all.countries);
      expect(Object.keys(await reported("limit=5"))).toEqual(["AT", "BE", "BG", "CY", "CZ"]);
    });

    test.each([
      ["limit=-1", "limit"],
      ["limit=abc", "limit"],
      ["summary=2", "summary"],
      ["countries=Deutschland-West", "countries[0]"],
    ])("%s is refused with the parameter's name", async (query, field) => {
      expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
    });

    test("named places come in either case, whatever the limit, Greece by both its codes", async () => {
      expect(Object.keys(await reported("countries=ea21,el,de&limit=1"))).toEqual(["DE", "EL", "EA21"]);
      expect(Object.keys(await reported("countries=GR&countries=eu27_2020"))).toEqual(["EL", "EU27_2020"]);
    });

    test("where none of the named places is known the map is empty, and the answer not stale", async () => {
      expect(await app.json<Body>(`${path}?countries=US`)).toMatchObject({
        cached_at: testTime.toISOString(),
        stale: false,
        data: { [name]: { countries: {}, seededAt: testTime.getTime() } },
      });
    });

    test("a country by any of its names is a member of the Union, and another is refused", async () => {
      for (const name of ["GR", "GRC", "300", "Greece"])
        expect(Object.keys(await reported(`country=${name}`))).toEqual(["EL"]);
      for (const name of ["BR", "BRA", "Brazil", "GB"]) {
        const response = await app.get(`${path}?country=${name}`);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          violations: [
            { field: "country", description: expect.stringContaining("a member of the European Union: AT, BE") },
          ],
        });
      }
    });

    test("a summary has only the newest value, with date and unit", async () => {
      const { value, date } = all.countries.FR as Reading;
      expect(await reported("countries=FR&summary=true")).toEqual({ FR: { value, date, unit, series: [] } });
      expect(Object.keys(await reported("summary=true"))).toHaveLength(29);
    });

    test("an unknown parameter is ignored, or refused where the caller asks for that", async () => {
      expect(await reported("geo=DE")).toEqual(all.countries);
      expect((await app.get(`${path}?geo=DE`, { headers: { Prefer: "handling=strict" } })).status).toBe(400);
    });

    test("without a key it is 401", async () => {
      expect((await app.get(path, { key: null })).status).toBe(401);
    });
  });
});

interface JsonStat {
  readonly value: Record<string, number>;
  readonly size: readonly number[];
}

describeEachDatabase("The indicators of the European Union live", (openFresh) => {
  let app: TestApp;
  let isDown = false;
  /** Bodies of each batch, by its first place. A test changes the values of Eurostat. */
  const bodies = new Map<string, JsonStat>();
  beforeAll(async () => {
    const outside = {
      ...responding((url) =>
        isDown ? undefined : bodies.get(`${url.pathname} ${url.searchParams.get("geo") ?? "aggregates"}`),
      ),
      floorOf: ({ rows }: { rows: { atLeast: number } }) => rows.atLeast,
    };
    app = await startApp(await openFresh(), { outside });
    for (const { source, table } of operations)
      for (const geo of ["AT", "CZ", "EL", "HR", "LT", "NL", "SE", "aggregates"]) {
        const query = geo === "aggregates" ? "geoLevel=aggregate" : `geo=${geo}`;
        const url = `https://ec.europa.eu/eurostat/api/dissemination/statistics/1.0/data/${table}?${query}`;
        const body = await sampleUpstream(source, () => testTime).json({ url });
        bodies.set(`${new URL(url).pathname} ${geo}`, body as JsonStat);
      }
  });
  afterAll(() => app[Symbol.asyncDispose]());

  describe.each(operations)("$dataset", ({ dataset, name, table, freshMinutes }) => {
    const path = `/api/economic/v1/get-${dataset}`;
    const place = (geo: string) => `/eurostat/api/dissemination/statistics/1.0/data/${table} ${geo}`;
    const passed = (minutes: number) => app.setTime(new Date(testTime.getTime() + minutes * minuteMs));
    const austria = async () => (await app.json<Body>(`${path}?countries=AT`)).data[name]?.countries.AT;
    test("while Eurostat is down from the start there is nothing: stale, without a time", async () => {
      passed(0);
      isDown = true;
      const { sources } = await app.refresh(dataset);
      expect(sources[0]?.state).toBe("failed");
      const body = await app.json<Body>(path);
      expect([body.stale, body.cached_at, body.data[name]?.countries]).toEqual([true, undefined, {}]);
    });

    test("a measured zero is returned, and a place with one value has no prior value", async () => {
      isDown = false;
      const batch = bodies.get(place("AT")) as JsonStat;
      const cells = batch.size.at(-1) ?? 0;
      const others = Object.entries(batch.value).filter(([number]) => Number(number) >= cells);
      bodies.set(place("AT"), { ...batch, value: { ...Object.fromEntries(others), [cells - 1]: 0 } });
      await app.refresh(dataset);
      const date = expect.any(String);
      expect(await austria()).toEqual({
        ...{ value: 0, hasPrior: false, date, unit: expect.any(String), series: [{ date, value: 0 }] },
      });
    });

    test("places whose batch comes without a value keep theirs, and are named as missing", async () => {
      const before = await austria();
      const stored = new Map(bodies);
      for (const geo of ["CZ", "EL", "HR"]) {
        const batch = bodies.get(place(geo)) as JsonStat;
        bodies.set(place(geo), { ...batch, value: {} });
      }
      const { generation, sources } = await app.refresh(dataset);
      expect([generation, sources[0]?.state]).toEqual([expect.any(Number), "partial"]);
      expect(sources[0]?.detail).toContain("12 of them retained, without CZ,");
      expect(Object.keys((await app.json<Body>(path)).data[name]?.countries ?? {})).toHaveLength(29);
      expect(await austria()).toEqual(before);
      for (const [key, body] of stored) bodies.set(key, body);
    });

    test("when one batch fails, its places keep their values and the others are new", async () => {
      const batch = bodies.get(place("NL")) as JsonStat;
      bodies.delete(place("NL"));
      const { generation, sources } = await app.refresh(dataset);
      expect([generation, sources[0]?.state]).toEqual([expect.any(Number), "partial"]);
      bodies.set(place("NL"), batch);
      expect(Object.keys((await app.json<Body>(path)).data[name]?.countries ?? {})).toHaveLength(29);
    });

    test("when Eurostat goes down the last values stay, in time stale, and never kept then", async () => {
      isDown = true;
      passed(freshMinutes);
      const { sources } = await app.refresh(dataset);
      expect(sources[0]).toMatchObject({ state: "failed", detail: expect.stringContaining("503") });
      expect(await app.json<Body>(path)).toMatchObject({ cached_at: testTime.toISOString(), stale: false });
      passed(freshMinutes + 1);
      const response = await app.get(`${path}?countries=AT`);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({
        cached_at: testTime.toISOString(),
        stale: true,
        data: { [name]: { countries: { AT: { value: 0 } } } },
      });
    });
  });
});

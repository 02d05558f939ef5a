import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { dimensionsOf } from "../../../src/contract/dimensions.ts";
import { tablesOf } from "../../../src/contract/tables.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";
import { neededQuery } from "../../support/needed-query.ts";

const path = "/api/catalog/v1/count-rows";
const events = "/api/conflict/v1/list-conflict-events";
const since = new Date(testTime.getTime() - 66 * 86_400_000).toISOString().slice(0, 10);

interface Group {
  readonly first: string;
  readonly firstLabel: string;
  readonly firstUnknown: boolean;
  readonly second: string;
  readonly secondLabel: string;
  readonly secondUnknown: boolean;
  readonly rows: number;
  readonly sum?: number;
  readonly unknownValues: number;
  readonly unit: string;
}

interface Counted {
  readonly groups: readonly Group[];
  readonly totalGroups: number;
  readonly totalRows: number;
  readonly dimensions: readonly string[];
}

interface Event {
  readonly country: string;
  readonly admin1: string;
  readonly admin1Code: string;
  readonly eventType: string;
  readonly actors: readonly string[];
  readonly occurredAt: number;
  readonly fatalities: number;
}

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

const query = (read: string, parameters: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams({ path: read, ...parameters })}`;
const count = (read: string, parameters: Readonly<Record<string, string>>) =>
  app.json<Counted>(query(read, { limit: "10000", ...parameters }));

/** Every event, page by page, as a client reads them. */
async function allEvents(filter: string): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let after = ""; ; ) {
    const page = await app.json<{ events: Event[]; nextAfter: string }>(
      `${events}?${filter}&limit=300&after=${encodeURIComponent(after)}`,
    );
    all.push(...page.events);
    after = page.nextAfter;
    if (after === "") return all;
  }
}

const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
const deathsIn = (all: readonly Event[]) => all.reduce((sum, { fatalities }) => sum + fatalities, 0);

const valuesOf: Readonly<Record<string, (event: Event) => readonly string[]>> = {
  day: ({ occurredAt }) => [new Date(occurredAt).toISOString().slice(0, 10)],
  month: ({ occurredAt }) => [monthOf(occurredAt)],
  quarter: ({ occurredAt }) => {
    const [year, month] = new Date(occurredAt).toISOString().split("-");
    return [`${year}-Q${Math.ceil(Number(month) / 3)}`];
  },
  year: ({ occurredAt }) => [new Date(occurredAt).toISOString().slice(0, 4)],
  country: ({ country }) => [country],
  admin1: ({ admin1Code }) => [admin1Code],
  type: ({ eventType }) => [eventType],
  actor: ({ actors }) => [...new Set(actors)],
};

/** Rows and deaths by the values of two dimensions, with an empty text for unknown. */
function grouped(all: readonly Event[], [one, two]: readonly [string, string | undefined]) {
  const groups = new Map<string, [rows: number, deaths: number]>();
  for (const event of all)
    for (const first of valuesOf[one]?.(event) ?? [])
      for (const second of two === undefined ? [""] : (valuesOf[two]?.(event) ?? [])) {
        const [rows, deaths] = groups.get(`${first}|${second}`) ?? [0, 0];
        groups.set(`${first}|${second}`, [rows + 1, deaths + event.fatalities]);
      }
  return groups;
}

test("groups equal those of all pages of the read, counted by hand, for any two dimensions", async () => {
  const all = await allEvents(`start=${since}`);
  expect(all.length).toBeGreaterThan(1000);
  const dimension = fc.constantFrom(...Object.keys(valuesOf));
  await fc.assert(
    fc.asyncProperty(dimension, fc.option(dimension, { nil: undefined }), async (one, two) => {
      fc.pre(one !== two);
      const by = two === undefined ? one : `${one},${two}`;
      const { groups, totalRows, totalGroups } = await count(`${events}?start=${since}`, { by, sum: "fatalities" });
      const counted = new Map(groups.map(({ first, second, rows, sum }) => [`${first}|${second}`, [rows, sum]]));
      expect(totalRows).toBe(all.length);
      expect(totalGroups).toBe(groups.length);
      expect(counted).toEqual(grouped(all, [one, two]));
    }),
    { numRuns: 15 },
  );
});

test("the deaths of a country by month and area are one request, in the order of months", async () => {
  const { groups, totalRows } = await count(`${events}?country=SD&start=${since}`, {
    by: "month,admin1",
    sum: "fatalities",
  });
  const all = await allEvents(`country=SD&start=${since}`);
  expect(totalRows).toBe(all.length);
  expect(groups.map(({ first }) => first)).toEqual(groups.map(({ first }) => first).sort());
  expect(groups.filter(({ secondUnknown }) => secondUnknown)).toEqual([]);
  const unlisted = groups.filter(({ second }) => second.startsWith("SD:"));
  expect(unlisted.length).toBeGreaterThan(0);
  for (const { first, second, secondLabel, rows, sum } of unlisted) {
    const own = all.filter(({ admin1, occurredAt }) => admin1 === secondLabel && monthOf(occurredAt) === first);
    expect([second, rows, sum]).toEqual([`SD:${secondLabel}`, own.length, deathsIn(own)]);
  }
});

test("a count equals that of CountConflictEvents, and the weeks that of their days", async () => {
  const { totalEvents, totalFatalities } = await app.json<{ totalEvents: number; totalFatalities: number }>(
    `/api/conflict/v1/count-conflict-events?start=${since}`,
  );
  const { groups } = await count(`${events}?start=${since}`, { by: "week", sum: "fatalities" });
  expect(groups.reduce((sum, { rows }) => sum + rows, 0)).toBe(totalEvents);
  expect(groups.reduce((sum, { sum: deaths = 0 }) => sum + deaths, 0)).toBe(totalFatalities);
  expect(groups.every(({ first }) => /^\d{4}-W\d\d$/.test(first))).toBe(true);
  // The days from 9 to 15 November 2026 are week 46.
  const { groups: week } = await count(`${events}?start=2026-11-09&end=2026-11-15`, { by: "week" });
  expect(week.map(({ first }) => first)).toEqual(["2026-W46"]);
});

test("amounts of several currencies have groups of their own, and unknown amounts are counted", async () => {
  const tenders = "/api/economic/v1/list-global-tenders";
  const { groups, totalRows } = await count(tenders, { by: "source", sum: "money.amount" });
  expect(new Set(groups.map(({ unit }) => unit)).size).toBeGreaterThan(2);
  expect(groups.reduce((sum, { rows }) => sum + rows, 0)).toBe(totalRows);
  expect(groups.some(({ sum, unknownValues, rows }) => sum === undefined && unknownValues === rows)).toBe(true);
});

/** Look-ups of a source, reads that need an id, a cursor, or a box, and reads that leave out rows. */
const notCounted = [
  ...["GetCompanyEnrichment", "ReverseGeocode", "GetScenarioStatus", "ListCompanyEventChanges"],
  ...["GetChokepointDependencies", "ListMilitaryBases", "ListVulnerabilityRankings"],
];

test("an unpaged read is counted with as many rows as it returns, and rejected if it returns only some", async () => {
  const key = await app.key("operator");
  const events = "/api/research/v1/list-tech-events";
  const counted = async (path: string) => app.get(query(path, { by: "day" }), { key });
  const { totalRows }: Counted = JSON.parse(await (await counted(events)).text());
  const all = await app.json<{ events: unknown[] }>(`${events}?limit=500`);
  expect(totalRows).toBe(all.events.length);
  expect(((await (await counted(`${events}?limit=3`)).json()) as Counted).totalRows).toBe(totalRows);
  const rankings = await counted("/api/supply-chain/v1/list-vulnerability-rankings");
  expect([rankings.status, await rankings.text()]).toEqual([400, expect.stringContaining("at most 25 of its rows")]);
});

const tables = catalog.flatMap((operation) =>
  operation.read && operation.inPath.length === 0
    ? tablesOf(operation).flatMap((table) => {
        const dimensions = dimensionsOf(table).map(({ name }) => name);
        return dimensions.length > 0 ? [[operation.name, table.name, { operation, dimensions }] as const] : [];
      })
    : [],
);

test("rows of many reads have dimensions", () => {
  expect(tables.length).toBeGreaterThan(50);
});

test.each(tables)("%s: the rows of %s are counted by each dimension", async (_name, table, given) => {
  const { operation, dimensions } = given;
  // The calls of each account are limited.
  const key = await app.key("operator");
  for (const by of dimensions) {
    const response = await app.get(query(neededQuery(operation), { by, list: table }), { key });
    const body = await response.text();
    if (response.status === 200) {
      const { groups, totalRows, dimensions: offered }: Counted = JSON.parse(body);
      expect(offered).toEqual(dimensions);
      expect(groups.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(totalRows);
    } else {
      expect(body).toMatch(response.status === 404 ? /not found/ : /"path"/);
      expect([400, 404]).toContain(response.status);
      expect(notCounted).toContain(operation.name);
    }
  }
});

test("rejects a dimension that the rows do not have", async () => {
  const response = await app.get(query("/api/research/v1/list-tech-events", { by: "actor" }));
  expect(response.status).toBe(400);
  const { violations } = (await response.json()) as { violations: unknown };
  expect(violations).toEqual([
    { field: expect.stringMatching(/^by/), description: expect.stringContaining("value must be one of day, week") },
  ]);
});

test.each([
  ["an unknown dimension", { by: "place" }, "by", "must be in list [day, week, month"],
  ["no dimension", { by: "" }, "by", ""],
  ["three dimensions", { by: "day,type,actor" }, "by", ""],
  ["one dimension twice", { by: "day,day" }, "by", ""],
  ["a text column", { by: "day", sum: "eventType" }, "sum", "value must be one of fatalities"],
  ["an unknown table", { by: "day", list: "nothing" }, "list", "value must be one of events"],
])("rejects %s", async (_title, parameters, field, reason) => {
  const response = await app.get(query(events, parameters as Record<string, string>));
  expect(response.status).toBe(400);
  const { violations } = (await response.json()) as { violations: { field: string; description: string }[] };
  expect(violations[0]?.field).toMatch(new RegExp(`^${field}`));
  expect(violations[0]?.description).toContain(reason);
});

test.each([
  ["a path of no read", "/api/conflict/v1/nothing"],
  ["a read that calls a source", "/api/intelligence/v1/get-company-enrichment?ticker=AAPL"],
  ["itself", `${path}?path=/api/conflict/v1/list-conflict-events&by=day`],
  ["a parameter of the read that does not exist", `${events}?contry=SD`],
  ["a value that the read rejects", `${events}?country=Nowhere`],
  ["a file", `${events}?format=csv`],
  ["an expression", `${events}?jmespath=events`],
])("rejects %s as the path", async (_title, read) => {
  expect(await app.rejected(query(read, { by: "day" }))).toEqual(["path"]);
});

test("rejects the sum of percentages and angles", async () => {
  const tariffs = await app.get(
    query("/api/trade/v1/get-tariff-trends?reporting_country=840", { by: "year", sum: "tariffRate" }),
  );
  expect(tariffs.status).toBe(400);
  expect(await tariffs.text()).toContain("tariffRate is not a column of these rows whose values add up");
  expect(await app.rejected(query(events, { by: "day", sum: "location.latitude" }))).toEqual(["sum"]);
});

test("the read has its own access, history, and marks", async () => {
  const free = await app.key("free");
  const tenders = query("/api/economic/v1/list-global-tenders", { by: "country" });
  expect((await app.get(tenders, { key: free })).status).toBe(403);
  expect((await app.get(tenders, { key: null })).status).toBe(401);
  const counted = await app.get(query(events, { by: "country" }), { key: free });
  expect([counted.status, counted.headers.get("X-Data-Origin")]).toEqual([200, "sample"]);
  const early = query(`${events}?as_of=2020-01-01`, { by: "country" });
  expect((await app.get(early)).status).toBe(400);
  expect([400, 403]).toContain((await app.get(early, { key: free })).status);
  const now = query(`${events}?as_of=${testTime.toISOString()}`, { by: "country" });
  expect((await app.get(now)).status).toBe(200);
});

test("files of the counts have the same groups", async () => {
  const csv = await (await app.get(query(events, { by: "country", format: "csv" }))).text();
  const { groups } = await count(events, { by: "country" });
  expect(csv.trim().split("\n").length).toBe(groups.length + 1);
  expect(groups[0]?.firstLabel).not.toBe("");
});

test("a read with more than 200,000 rows is rejected before they are read", async () => {
  await sql`
    insert into conflict_event (id, source_key, origin, occurred_at, country, latitude, longitude, event_type, fatalities,
      actors, source, admin1, admin1_code, admin1_from)
    select 'ucdp-many-' || n, 'ucdp', 'sample', ${Date.UTC(2020, 0)}, 'SD', 15, 32, 'Battles', 0, '{}', '', '', '', ''
    from generate_series(1, 200001) as n`.execute(database.kysely);
  const response = await app.get(query(`${events}?start=2020-01-01&end=2020-01-02&event_type=battles`, { by: "day" }));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("narrow the filters");
});

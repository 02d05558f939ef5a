import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";

const events = "/api/conflict/v1/list-conflict-events";
const [week, weekBefore] = ["start=2026-11-09&end=2026-11-15", "start=2026-11-02&end=2026-11-08"];

interface Compared {
  readonly groups: readonly {
    readonly first: string;
    readonly rows: number;
    readonly sum?: number;
    readonly comparedRows?: number;
    readonly comparedSum?: number;
  }[];
  readonly totalGroups: number;
  readonly totalRows: number;
  readonly comparedTotalRows?: number;
  readonly comparedIsPartial: boolean;
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
  `/api/catalog/v1/count-rows?${new URLSearchParams({ path: read, by: "admin1", ...parameters })}`;
const count = (read: string, parameters: Readonly<Record<string, string>> = {}) =>
  app.json<Compared>(query(read, parameters));

test("each group of a comparison has the rows and the sum that both reads have without it", async () => {
  const sum = "fatalities";
  const [now, before] = [`${events}?country=SD&${week}`, `${events}?country=SD&${weekBefore}`];
  const compared = await count(now, { sum, compare_with: before });
  const [alone, other] = [await count(now, { sum }), await count(before, { sum })];
  const valuesOf = ({ groups }: Compared) => new Map(groups.map(({ first, rows, sum = 0 }) => [first, [rows, sum]]));
  const [ownValues, otherValues] = [valuesOf(alone), valuesOf(other)];
  const names = new Set([...ownValues.keys(), ...otherValues.keys()]);
  expect(names.size).toBeGreaterThan(ownValues.size);
  expect(compared.groups.map(({ first }) => first)).toEqual([...names]);
  for (const { first, rows, sum, comparedRows, comparedSum } of compared.groups) {
    expect([rows, sum], first).toEqual(ownValues.get(first) ?? [0, 0]);
    expect([comparedRows, comparedSum], first).toEqual(otherValues.get(first) ?? [0, 0]);
  }
  expect(compared).toMatchObject({
    totalGroups: names.size,
    totalRows: alone.totalRows,
    comparedTotalRows: other.totalRows,
    comparedIsPartial: false,
  });
});

test("a count without a comparison says nothing of another read", async () => {
  const { groups, comparedTotalRows, comparedIsPartial } = await count(`${events}?country=SD&${week}`);
  expect([comparedTotalRows, comparedIsPartial]).toEqual([undefined, false]);
  for (const group of groups) expect(group).not.toHaveProperty("comparedRows");
});

test("a period before the first held row is unknown and not 0", async () => {
  const held = await count(`${events}?country=SD&${week}`, { compare_with: `${events}?country=SD&end=2019-12-31` });
  expect(held.groups.length).toBeGreaterThan(0);
  expect([held.comparedTotalRows, held.comparedIsPartial]).toEqual([undefined, true]);
  for (const group of held.groups) expect(group).not.toHaveProperty("comparedRows");
});

test.each([
  ["another read", "/api/infrastructure/v1/list-internet-outages?country=SD", `value must begin with ${events}`],
  ["a value that the read rejects", `${events}?country=Nowhere`, "country"],
  ["a parameter that the read does not have", `${events}?contry=SD`, "contry"],
  ["no path", "nothing", "value must be a path below /api/"],
])("rejects %s as the other read", async (_title, other, reason) => {
  const response = await app.get(query(`${events}?country=SD`, { compare_with: other }));
  expect(response.status).toBe(400);
  const { violations } = (await response.json()) as { violations: { field: string; description: string }[] };
  expect(violations).toEqual([{ field: "compare_with", description: expect.stringContaining(reason) }]);
});

test("files of a comparison have columns for both reads", async () => {
  const parameters = { compare_with: `${events}?country=SD&${weekBefore}`, format: "csv" };
  const text = await (await app.get(query(`${events}?country=SD&${week}`, parameters))).text();
  expect(text.split("\n")[0]).toContain("comparedRows");
});

test("a read that returns no rows without a box is rejected, and a warning of the read is kept", async () => {
  const bases = "/api/military/v1/list-military-bases?country=US";
  expect(await app.rejected(query(bases, { by: "type" }))).toEqual(["path"]);
  const box = `${bases}&zoom=10&ne_lat=90&ne_lon=180&sw_lat=-90&sw_lon=-180`;
  expect(await app.rejected(query(box, { by: "type", compare_with: bases }))).toEqual(["compare_with"]);
  const late = await app.get(query(`${events}?start=2026-11-25&end=2026-11-01`, {}));
  expect(late.headers.get("X-Parameter-Warnings")).toBe("start must not be after end");
});

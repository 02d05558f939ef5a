import { expect, test } from "vitest";
import { startBed } from "../../support/console/bed.ts";

interface Point {
  readonly key: string;
  readonly at: number;
  readonly value?: number;
}

const bed = startBed({});
const latest = (query: string) =>
  bed.app.json<{ points: readonly Point[] }>(`/api/history/v1/get-series?interval=latest&${query}`);

test("a series has its latest points for all keys, the largest first, those that each key's points end with", async () => {
  const { ciiScores } = await bed.app.json<{ ciiScores: { region: string; combinedScore: number }[] }>(
    "/api/intelligence/v1/get-risk-scores",
  );
  const { points } = await latest("series=risk.score");
  expect(Object.fromEntries(points.map(({ key, value }) => [key, value]))).toEqual(
    Object.fromEntries(ciiScores.map(({ region, combinedScore }) => [region, combinedScore])),
  );
  const values = points.map(({ value = 0 }) => value);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  const some = await latest("series=risk.score&keys=UA,MM");
  expect(some.points).toEqual(points.filter(({ key }) => key === "UA" || key === "MM"));
  const old = await latest("series=risk.score&to=2026-11-10T00:00:00Z");
  expect(old.points.every(({ at }) => at <= Date.parse("2026-11-10T00:00:00Z"))).toBe(true);
  const withoutKeys = await bed.app.json("/api/history/v1/get-series?series=risk.score");
  expect(withoutKeys).toMatchObject({ points });
  const byDay = await bed.app.json<{ points: readonly Point[] }>(
    "/api/history/v1/get-series?series=risk.score&interval=day",
  );
  expect(new Set(byDay.points.map(({ key }) => key))).toEqual(new Set(points.map(({ key }) => key)));
});

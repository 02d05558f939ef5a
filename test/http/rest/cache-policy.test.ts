import { expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import type { DataStatus } from "../../../src/contract/data-status.ts";
import { cachePolicyAt } from "../../../src/http/rest/cache-policy.ts";

const conflict = catalog.find(({ name }) => name === "ListConflictEvents")!;
const keyed = catalog.find(({ name }) => name === "GetLaborStatsSeries")!;
const hour = 3_600_000;
const dataStatus = (changed: Partial<DataStatus>): DataStatus => ({
  ...{ staleForMs: 0, freshForMs: 12 * hour, servableForMs: 24 * hour, missing: [] },
  ...changed,
});

test.each<[string, Partial<DataStatus>, readonly string[]]>([
  [
    "fresh for long",
    {},
    [
      ...["Cache-Control", "public, max-age=300, s-maxage=1800, stale-while-revalidate=300, stale-if-error=3600"],
      ...["CDN-Cache-Control", "max-age=3600"],
    ],
  ],
  [
    "fresh for ten minutes",
    { freshForMs: hour / 6 },
    [
      ...["Cache-Control", "public, max-age=300, s-maxage=600, stale-while-revalidate=300, stale-if-error=3600"],
      ...["CDN-Cache-Control", "max-age=600"],
    ],
  ],
  [
    "servable for half an hour",
    { freshForMs: hour / 6, servableForMs: hour / 2 },
    [
      ...["Cache-Control", "public, max-age=300, s-maxage=600, stale-while-revalidate=300, stale-if-error=1200"],
      ...["CDN-Cache-Control", "max-age=600"],
    ],
  ],
  ["stale", { staleForMs: hour, freshForMs: 0 }, ["Cache-Control", "public, max-age=60, s-maxage=60"]],
  [
    "servable for ten seconds",
    { staleForMs: hour, freshForMs: 0, servableForMs: 10_000 },
    ["Cache-Control", "public, max-age=10, s-maxage=10"],
  ],
])("an answer that is %s is kept no longer than its data allow", (_, changed, policy) => {
  expect(cachePolicyAt(conflict)(dataStatus(changed))).toEqual(policy);
});

test("a keyed answer from stale data is its caller's for a minute", () => {
  expect(cachePolicyAt(keyed)(dataStatus({ staleForMs: hour, freshForMs: 0 }))).toEqual([
    ...["Cache-Control", "private, max-age=60"],
  ]);
});

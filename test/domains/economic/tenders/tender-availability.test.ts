import { expect, test } from "vitest";
import { availability, sourceStatus } from "../../../../src/domains/economic/tenders/tender-availability.ts";

const source = {
  name: "ted",
  missing: [],
  license: { kind: "open", publisher: "invented", terms: "" },
  runs: 1,
  failures: 0,
} as const;
const feed = { origin: "live", storedAt: "2026-11-18T12:00:00.000Z" } as const;
const status = (state: "ok" | "failed" | "refused" | "unconfigured" | "waiting", rows: number, old: boolean) =>
  sourceStatus({ ...source, state }, rows, { ...feed, state: old ? "stale" : "ok" }, undefined).state;

test.each([
  ["ok", 5, false, "ok"],
  ["ok", 0, false, "ok"],
  ["ok", 5, true, "stale"],
  ["ok", 0, true, "stale"],
  ["failed", 5, false, "stale"],
  ["failed", 0, false, "error"],
  ["failed", 5, true, "stale"],
  ["failed", 0, true, "error"],
  ["refused", 5, false, "stale"],
  ["refused", 0, false, "error"],
  ["unconfigured", 5, false, "stale"],
  ["unconfigured", 0, false, "unavailable"],
  ["unconfigured", 0, true, "unavailable"],
  ["waiting", 5, false, "stale"],
  ["waiting", 0, false, "unavailable"],
] as const)("a source that is %s with %i rows in a feed that is old: %s, is %s", (state, rows, old, expected) => {
  expect(status(state, rows, old)).toBe(expected);
});

const of = (...statuses: readonly [state: "ok" | "stale" | "error" | "unavailable", recordCount: number][]) =>
  statuses.map(([state, recordCount]) => ({
    ...{ source: "s", state, recordCount, fetchedAt: "", lastSuccessfulAt: "", stale: state === "stale" },
  }));

test.each([
  [of(["ok", 1], ["ok", 0]), "available"],
  [of(["ok", 0], ["ok", 0]), "empty"],
  [of(["ok", 1], ["unavailable", 0]), "partial"],
  [of(["ok", 0], ["error", 0]), "partial"],
  [of(["stale", 1], ["error", 0]), "stale"],
  [of(["error", 0], ["unavailable", 0]), "unavailable"],
] as const)("%j is %s", (statuses, expected) => {
  expect(availability(statuses, "observed")).toBe(expected);
  expect(availability(statuses, "not_requested")).toBe(expected);
  expect(availability(statuses, "unknown")).toBe(expected === "unavailable" ? "unavailable" : "unknown");
});

test("an error is reported in at most 200 characters, and only while it lasts", () => {
  const reported = (state: "ok" | "failed") =>
    sourceStatus({ ...source, state, error: "x".repeat(500) }, 1, { ...feed, state: "degraded" }, undefined).error;
  expect([reported("failed")?.length, reported("ok")]).toEqual([200, undefined]);
});

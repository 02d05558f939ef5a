import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operationsOf, servedOperations, stepsOf } from "../../../src/cli/live-steps.ts";
import { datasets, lookups } from "../../../src/domains/index.ts";
import { freshFolder, ids, idsTyping } from "../terminal.ts";

const origins = { datasets, lookups };

test("without a terminal every step is printed with what it opens, and no file is written", async () => {
  const file = join(freshFolder(), ".env");
  const { out, status } = await ids({}, "init", "--file", file);
  expect(status).toBe(0);
  for (const { variables, opens, access } of stepsOf(origins))
    for (const text of [variables[0]?.name, access.signUp, access.cost, ...opens]) expect(out).toContain(text);
  expect(out).toMatch(/Live: \d+ of \d+ operations on data/);
  expect(existsSync(file)).toBe(false);
});

test("what opens more operations comes first, and what needs a permission last", () => {
  const steps = stepsOf(origins);
  const isAllowed = steps.map(({ variables }) => variables.every(({ kind }) => kind !== "permission"));
  expect(isAllowed).toEqual(isAllowed.toSorted((a, b) => Number(b) - Number(a)));
  const opened = steps.filter((_step, index) => isAllowed[index]).map(({ opens }) => opens.length);
  expect(opened).toEqual(opened.toSorted((a, b) => b - a));
});

test("with every source available every operation is live, and without sources only those with built-in data", () => {
  expect(servedOperations(origins, () => true)).toEqual(operationsOf(origins));
  expect(servedOperations(origins, () => false)).toEqual(
    lookups.filter(({ inPlaceOfOwn }) => inPlaceOfOwn).flatMap(({ serves }) => serves.map(({ name }) => name)),
  );
});

test("what is typed is written down without being shown, and what is set is not asked for", async () => {
  const file = join(freshFolder(), ".env");
  const steps = stepsOf(origins);
  const at = steps.findIndex(({ sources }) => sources.includes("arms-suppliers"));
  const before = steps.slice(0, at).map(() => "");
  const { out, status } = await idsTyping([...before, "y", "/data/arms deliveries.csv"], {}, "init", "--file", file);
  expect(status).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(
    "IDS_SOURCE_ARMS_SUPPLIERS=on\nIDS_ARMS_SUPPLIERS_FILE='/data/arms deliveries.csv'\n",
  );
  expect(out).not.toContain("deliveries.csv");
  const again = await idsTyping([], { FRED_API_KEY: "f".repeat(32) }, "init", "--file", file);
  expect(again.out).toMatch(/FRED_API_KEY \(set\)/);
  expect(again.out).not.toContain("FRED_API_KEY (Enter to skip)");
  expect(again.out).not.toContain("f".repeat(32));
});

test("what was just shown not to answer is not counted live", async () => {
  const file = join(freshFolder(), ".env");
  const at = stepsOf(origins).findIndex(({ variables }) => variables[0]?.name === "ACLED_EMAIL");
  const before = Array.from({ length: at }, () => "");
  const nowhere = { HTTPS_PROXY: "http://127.0.0.1:1" };
  const { out } = await idsTyping([...before, "someone@example.org", "secret"], nowhere, "init", "--file", file);
  expect(out).toMatch(/Not as expected: acled\b/);
  expect(out).toMatch(/^ListConflictEvents: unavailable until acled\b.* can be read$/m);
});

test("one of two that is left out leaves both out", async () => {
  const file = join(freshFolder(), ".env");
  const at = stepsOf(origins).findIndex(({ variables }) => variables[0]?.name === "ACLED_EMAIL");
  const before = Array.from({ length: at }, () => "");
  await idsTyping([...before, "someone@example.org", ""], {}, "init", "--file", file);
  expect(existsSync(file)).toBe(false);
});

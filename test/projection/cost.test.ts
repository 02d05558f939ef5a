import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileExpression } from "../../src/projection/compile.ts";
import { Fuel, fuelLimit } from "../../src/projection/fuel.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { requestMcp } from "../support/mcp.ts";
import { isThorough } from "../support/thoroughness.ts";
import { costlyExpressions } from "./costly-expressions.ts";
import { adversarialResponse, costOf, realisticResponse, shareOfBound } from "./measured-cost.ts";
import { stallingExpressions } from "./stalling-expressions.ts";

const maxMs = 25;

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("conflict-events");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

test.each([
  ["an answer as there are", realisticResponse(500)],
  ["an answer of what is dear to handle", adversarialResponse()],
])("expressions made to break the bound keep to their fuel, over %s", { timeout: 120_000 }, (_, response) => {
  fc.assert(
    fc.property(costlyExpressions(response.beginnings), (expression) => {
      expect(Buffer.byteLength(expression)).toBeLessThanOrEqual(1024);
      const cost = costOf(expression, response.given);
      expect(cost.fuel).toBeGreaterThanOrEqual(0);
      expect(shareOfBound(cost), `${cost.ms} ms for ${cost.fuel} units`).toBeLessThanOrEqual(1);
    }),
    // Shrinking would measure for minutes.
    { numRuns: isThorough ? 1_000 : 200, endOnFailure: true },
  );
});

test.each(Object.entries(stallingExpressions()))(
  "%s takes at most 25 ms, over REST and MCP as well",
  async (_, expression) => {
    expect(Buffer.byteLength(expression)).toBeLessThanOrEqual(1024);
    expect(costOf(expression, { events: [] }, { suspicious: 0 }).ms).toBeLessThan(maxMs);
    const rest = async () => {
      const path = `/api/conflict/v1/list-conflict-events?jmespath=${encodeURIComponent(expression)}`;
      const response = await app.get(path, { key: null });
      await response.text();
      expect([200, 400]).toContain(response.status);
    };
    const mcp = async () => {
      const given = { operation: "list_conflict_events", jmespath: expression };
      const answer = await requestMcp(app, "tools/call", { name: "ids_conflict_read", arguments: given });
      expect(JSON.stringify(answer)).toMatch(
        /\\"result\\":false|"result":false|"result":\[|projection_too_(?:expensive|large)/,
      );
    };
    // Ten times what is wanted, for the machine may be busy with other tests, and the server does more than that.
    for (const sendRequest of [rest, mcp]) expect(await wallMs(sendRequest)).toBeLessThan(10 * maxMs);
  },
);

test.each(["contains", "starts_with", "ends_with"])("%s accepts at most 256 characters to search for", (name) => {
  const search = (length: number) => {
    const text = "a".repeat(length);
    return compileExpression(`${name}(@, '${text}')`)(`${text}b${text}`, new Fuel());
  };
  expect(search(256)).toBe(true);
  expect(() => search(257)).toThrow(
    "projection_too_expensive: a text that is searched for has 257 characters, at most 256 are allowed",
  );
});

test.each([
  [`ab${"a".repeat(254)}`, "a".repeat(50_000)],
  [`${"a".repeat(255)}b`, "a".repeat(50_000)],
  [`b${"a".repeat(255)}`, `${"a".repeat(254)}b`.repeat(200)],
  ["aaaaab", "a".repeat(300_000)],
  ["ab", "ac".repeat(300_000)],
])("searching for %s keeps to its fuel", (wanted, text) => {
  const cost = costOf(`contains(text, '${wanted}')`, { text });
  expect(cost.outcome).toBe("projected");
  expect(shareOfBound(cost), `${cost.ms} ms for ${cost.fuel} units`).toBeLessThanOrEqual(1);
});

test("long texts met again and again cost what they are, however many characters that makes", () => {
  const long = "a".repeat(150_000);
  const given = { texts: Array.from({ length: 16_384 }, () => long) };
  for (const expression of ["sort(texts)", "max(texts)", "join('', texts)", "sort_by(texts, &@)"]) {
    const fuel = new Fuel();
    expect(() => compileExpression(expression)(given, fuel), expression).toThrow("projection_too_expensive");
    expect(fuel.left).toBeLessThan(0);
  }
});

test("an object that was looked at once is known, and asking for its truth again costs no more than of any other", () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [String(index), index]));
  const costOfTruth = (times: number) => {
    const fuel = new Fuel();
    compileExpression(`${"!!".repeat(times)}@`)(wide, fuel);
    return fuelLimit - fuel.left;
  };
  expect(costOfTruth(1)).toBeGreaterThanOrEqual(5_000);
  expect(costOfTruth(50) - costOfTruth(1)).toBe(98);
});

async function wallMs(sendRequest: () => Promise<void>): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3; time++) {
    const begun = performance.now();
    await sendRequest();
    min = Math.min(min, performance.now() - begun);
  }
  return min;
}

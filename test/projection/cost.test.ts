import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileExpression } from "../../src/projection/compile.ts";
import { Fuel, fuelLimit } from "../../src/projection/fuel.ts";
import { holdsText } from "../../src/projection/text-search.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { requestMcp } from "../support/mcp.ts";
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
    { numRuns: 1_000, endOnFailure: true },
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

test("a text is found in another exactly where the engine finds it", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "\u{1f600}"), { maxLength: 12 }).map((parts) => parts.join(""));
  const periodic = fc.tuple(letters, fc.nat(12)).map(([part, times]) => part.repeat(times));
  const text = fc.array(fc.oneof(letters, periodic), { maxLength: 8 }).map((parts) => parts.join(""));
  const cut = (whole: string, from: number, size: number) => whole.slice(from, from + size);
  fc.assert(
    fc.property(text, text, fc.nat(100), fc.nat(100), (one, other, from, size) => {
      const within = "b".repeat(1_100) + one;
      for (const part of [other, cut(one, from, size), `${cut(one, from, size)}a`])
        expect(holdsText(within, part), JSON.stringify([within, part])).toBe(within.includes(part));
    }),
    { numRuns: 2_000 },
  );
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

test.each([
  ["contains(text, 'aaab')", { text: "a".repeat(40_000) }, 10_000, 10_100],
  ["contains(text, part)", { text: "a".repeat(40_000), part: "a".repeat(20_000) }, 20_000, 20_100],
  ["keys(object)", { object: { 1: 1, 2: 2, 3: 3 } }, 60, 200],
  ["[?!@]", Array.from({ length: 100 }, () => ({ 1: 1 })), 300, 7_500],
  ['{"320": @}', {}, 80, 100],
  ['{"99999": @}', {}, 130, 150],
  ['{"__proto__": @}', {}, 16, 20],
  ["to_string(lists)", { lists: Array.from({ length: 100 }, () => []) }, 200, 300],
])("%s costs what it takes", (expression, given, min, max) => {
  const fuel = new Fuel();
  compileExpression(expression)(given, fuel);
  expect(fuelLimit - fuel.left).toBeGreaterThanOrEqual(min);
  expect(fuelLimit - fuel.left).toBeLessThanOrEqual(max);
});

test("an object that was looked at once is known, and asking for its truth again costs no more than of any other", () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [String(index), index]));
  const costOfTruth = (times: number) => {
    const fuel = new Fuel();
    compileExpression(`${"!!".repeat(times)}@`)(wide, fuel);
    return fuelLimit - fuel.left;
  };
  expect(costOfTruth(1)).toBeGreaterThan(40_000);
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

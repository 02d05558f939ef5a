import { expect, test } from "vitest";
import { compileExpression } from "../../src/projection/compile.ts";
import { evaluateInTurn, Fuel, fuelLimit } from "../../src/projection/fuel.ts";
import { serialize } from "../../src/projection/serialize.ts";
import type { Json } from "../../src/projection/value.ts";

function costOf(expression: string, given: Json): number {
  const fuel = new Fuel();
  compileExpression(expression)(given, fuel);
  return fuelLimit - fuel.left;
}

const list = <T>(size: number, make: (index: number) => T) => Array.from({ length: size }, (_, index) => make(index));
const numbers = (size: number) => list(size, (index) => index);
/** Long texts, so that their characters cost more than their number. */
const texts = (size: number) => list(10, (index) => "a".repeat(size) + index);
const object = (size: number) => Object.fromEntries(list(size, (index) => [`name${index}`, index]));
const indexed = (size: number) => Object.fromEntries(list(size, (index) => [String(index), index]));

test.each<[string, (size: number) => Json]>([
  ["[*]", numbers],
  ["[]", numbers],
  ["[]", (size) => [numbers(size)]],
  ["[?@ == `0`]", numbers],
  ["[?`true`]", numbers],
  ["[:]", numbers],
  ["[::-1]", numbers],
  ["[5:]", numbers],
  ["*", object],
  ["*", indexed],
  ["map(&`0`, @)", numbers],
  ["reverse(@)", numbers],
  ["reverse(@)", (size) => "a".repeat(8 * size)],
  ["length(@)", (size) => "a".repeat(8 * size)],
  ["keys(@)", object],
  ["values(@)", object],
  ["merge(@, @)", object],
  ["[0] == [1]", (size) => [numbers(size), numbers(size)]],
  ["[0] != [1]", (size) => [object(size), object(size)]],
  ["[0] == [1]", (size) => ["a".repeat(8 * size), "a".repeat(8 * size)]],
  ["contains(@, 'x')", numbers],
  ["contains([0], [1])", (size) => ["a".repeat(8 * size), "ab"]],
  ["contains([0], [1])", (size) => ["a".repeat(8 * size), `${"a".repeat(255)}b`]],
  ["to_number(@)", (size) => "1".repeat(8 * size)],
  ["join('', @)", texts],
  ['join(@, `["", "", "", "", "", "", "", ""]`)', (size) => "a".repeat(size)],
  ["to_string(@)", numbers],
  ["to_string(@)", object],
  ["to_string(@)", texts],
  ["to_string(@)", (size) => list(size, () => [])],
  ["to_string(@)", (size) => list(size, () => 0.5)],
  ["sum(@)", numbers],
  ["avg(@)", numbers],
  ["max(@)", numbers],
  ["min(@)", texts],
  ["max(@)", texts],
  ["sort(@)", numbers],
  ["sort(@)", texts],
  ["sort_by(@, &@)", numbers],
  ["sort_by(@, &@)", texts],
  ["max_by(@, &@)", numbers],
  ["min_by(@, &@)", texts],
])("%s costs about twice as much for an input of twice the size", (expression, make) => {
  const cost = costOf(expression, make(1_000));
  expect(cost).toBeGreaterThanOrEqual(250);
  const ratio = costOf(expression, make(2_000)) / cost;
  expect(ratio).toBeGreaterThan(1.8);
  expect(ratio).toBeLessThan(2.4);
});

test.each<[string, (times: number) => string]>([
  ["a chain of steps", (times) => `@${".a".repeat(times)}`],
  ["a chain of indexes", (times) => `@${"[0]".repeat(times)}`],
  ["a pipe", (times) => `@${"|a".repeat(times)}`],
  ["a negation", (times) => `${"!".repeat(times)}@`],
  ["a list", (times) => `[${"@,".repeat(times)}@]`],
  ["an object", (times) => `{${list(times, (index) => `n${index}: @`).join()}}`],
  ["a disjunction", (times) => `\`null\`${"||@".repeat(times)}`],
  ["a conjunction", (times) => `\`1\`${"&&@".repeat(times)}`],
  ["a comparison", (times) => `[${"@<@,".repeat(times)}@]`],
  ["an equation", (times) => `[${"@==@,".repeat(times)}@]`],
  ["a call", (times) => `[${"type(@),".repeat(times)}@]`],
])("%s costs more with each of its parts", (_, make) => {
  const cost = costOf(make(25), null);
  expect(costOf(make(50), null) - cost).toBeGreaterThanOrEqual(25);
  expect(costOf(make(50), null)).toBeLessThan(2.4 * cost);
});

test("serializing costs more for each nested list and object, even for the same one", () => {
  const costOfResult = (value: Json) => {
    const fuel = new Fuel();
    serialize(value, fuel);
    return fuelLimit - fuel.left;
  };
  for (const part of [[1], { a: 1 }]) {
    const cost = costOfResult(list(1_000, () => part));
    expect(cost).toBeGreaterThanOrEqual(500);
    expect(costOfResult(list(2_000, () => part))).toBeGreaterThan(1.8 * cost);
  }
});

test("an evaluation that costs the whole limit succeeds, and one that costs more fails", () => {
  const fuel = new Fuel();
  fuel.spend(fuelLimit);
  expect(() => fuel.spend(0)).not.toThrow();
  expect(fuel.spent).toBe(fuelLimit);
  expect(() => fuel.spend(1)).toThrow(`projection_too_expensive: more than ${fuelLimit} steps`);
});

test("text is ordered by code point above and below the surrogates", () => {
  const ordered = ["\u{1f600}", "\u{1f601}", "\u{10ffff}"];
  const given = [...ordered, "\uffff", "\ue000", "\ud7ff", "a", "\ue000a"];
  const expected = ["a", "\ud7ff", "\ue000", "\ue000a", "\uffff", ...ordered];
  const evaluate = (expression: string) => compileExpression(expression)(given, new Fuel());
  expect(evaluate("sort(@)")).toEqual(expected);
  expect(evaluate("sort_by(@, &@)")).toEqual(expected);
  expect([evaluate("max(@)"), evaluate("min(@)")]).toEqual(["\u{10ffff}", "a"]);
});

test("sorting costs more per element than a sum, and the more so the longer the list is", () => {
  const share = (size: number) => costOf("sort(@)", numbers(size)) / costOf("sum(@)", numbers(size));
  expect(share(100)).toBeGreaterThan(3);
  expect(share(10_000)).toBeGreaterThan(1.5 * share(100));
});

test("evaluations beyond the limit of one turn run in later turns, in order of arrival", async () => {
  const order: number[] = [];
  const evaluate = (place: number) =>
    evaluateInTurn((fuel) => {
      fuel.spend(fuelLimit);
      order.push(place);
    });
  const all = Promise.all([1, 2, 3].map(evaluate));
  expect(order).toEqual([1]);
  await all;
  expect(order).toEqual([1, 2, 3]);
});

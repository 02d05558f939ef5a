import { describe, expect, test } from "vitest";
import { compileExpression } from "../../src/projection/compile.ts";
import { Fuel } from "../../src/projection/fuel.ts";
import { InvalidExpression } from "../../src/projection/projection-errors.ts";
import type { Json } from "../../src/projection/value.ts";
import { rejected, sections } from "./cases.ts";

function search(given: Json, expression: string): Json {
  return compileExpression(expression)(given, new Fuel());
}

describe.each(Object.entries(sections))("%s", (_, { given, expected }) => {
  test.each(Object.entries(expected))("%s gives what the specification says", (expression, wanted) => {
    // As JSON, since a member named `__proto__` must count.
    expect(JSON.parse(JSON.stringify(search(given, expression)))).toStrictEqual(JSON.parse(JSON.stringify(wanted)));
  });
});

test.each(rejected)("%s is refused", (expression) => {
  expect(() => search({}, expression)).toThrow(InvalidExpression);
});

/** Where the parser itself is at fault, and nothing short of another parser would help. */
test.each([
  ["a carriage return between words, which the specification takes for a blank", "a\r|b", InvalidExpression],
  ["a second escaped backtick in a literal", '`"a\\`b\\`c"`', InvalidExpression],
])("known exception: %s", (_, expression, failure) => {
  expect(() => search({}, expression)).toThrow(failure);
});

test("what is given is never changed", () => {
  const given = { list: [3, 1, 2], object: { a: { b: 1 } } };
  const before = structuredClone(given);
  for (const expression of [
    "sort(list)",
    "reverse(list)",
    "sort_by(list, &@)",
    "merge(object, {a: `2`})",
    "object.a | merge(@, {c: @})",
  ])
    search(given, expression);
  expect(given).toEqual(before);
  const literal = compileExpression("`[2, 1]` | sort(@)");
  expect([literal(null, new Fuel()), literal(null, new Fuel())]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

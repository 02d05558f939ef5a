import { array, Call, isEqual, number, type Order, object, string, valuesOf } from "./call.ts";
import type { Evaluate } from "./fuel.ts";
import { InvalidExpression } from "./projection-errors.ts";
import { textOf } from "./serialize.ts";
import type { Syntax } from "./syntax.ts";
import { isArray, isObject, type Json, type JsonArray, kindOf, setMember } from "./value.ts";

/** A function that JMESPath defines. */
interface Builtin {
  /** Number of arguments, or the minimum for a function with any number of them. */
  readonly arity: number;
  readonly more?: boolean;
  /** Index of the argument that must be an expression such as `&name`. */
  readonly reference?: number;
  readonly run: (call: Call) => Json;
}

const builtins = new Map<string, Builtin>(
  Object.entries({
    abs: { arity: 1, run: (call) => Math.abs(call.get(0, number)) },
    ceil: { arity: 1, run: (call) => Math.ceil(call.get(0, number)) },
    floor: { arity: 1, run: (call) => Math.floor(call.get(0, number)) },
    sum: { arity: 1, run: (call) => finite(total(call.list(0, number))) },
    avg: { arity: 1, run: (call) => average(call.list(0, number)) },
    to_number: { arity: 1, run: toNumber },
    to_string: {
      arity: 1,
      run: ({ all: [value = null], fuel }) => (typeof value === "string" ? value : textOf(value, fuel)),
    },
    starts_with: { arity: 2, run: (call) => call.get(0, string).startsWith(affix(call)) },
    ends_with: { arity: 2, run: (call) => call.get(0, string).endsWith(affix(call)) },
    contains: { arity: 2, run: contains },
    join: { arity: 2, run: join },
    length: { arity: 1, run: lengthOf },
    reverse: { arity: 1, run: reverse },
    to_array: { arity: 1, run: ({ all: [value = null] }) => (isArray(value) ? value : [value]) },
    map: { arity: 2, reference: 0, run: map },
    sort: { arity: 1, run: (call) => sorted(call, call.order(0)) },
    sort_by: { arity: 2, reference: 1, run: (call) => sorted(call, call.orderByKey(0)) },
    max: { arity: 1, run: (call) => extreme(call, call.order(0), 1) },
    min: { arity: 1, run: (call) => extreme(call, call.order(0), -1) },
    max_by: { arity: 2, reference: 1, run: (call) => extreme(call, call.orderByKey(0), 1) },
    min_by: { arity: 2, reference: 1, run: (call) => extreme(call, call.orderByKey(0), -1) },
    keys: { arity: 1, run: (call) => call.fuel.namesOf(call.get(0, object)) },
    values: { arity: 1, run: (call) => valuesOf(call.get(0, object), call.fuel) },
    merge: { arity: 1, more: true, run: merge },
    not_null: { arity: 1, more: true, run: (call) => call.all.find((value) => value !== null) ?? null },
    type: { arity: 1, run: (call) => kindOf(call.any(0)) },
  } satisfies Record<string, Builtin>),
);

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function average(numbers: readonly number[]): Json {
  return numbers.length === 0 ? null : finite(total(numbers) / numbers.length);
}

/** Converts infinity and NaN to `null`, because JSON cannot represent them. */
function finite(number: number): Json {
  return Number.isFinite(number) ? number : null;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function toNumber({ all: [value = null], fuel }: Call): Json {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  fuel.spendText(value.length);
  return jsonNumber.test(value) ? finite(Number(value)) : null;
}

/** Returns the second argument of `starts_with` and `ends_with`. */
function affix(call: Call): string {
  const text = call.get(1, string);
  call.fuel.spendSearch(1, text.length);
  return text;
}

function contains(call: Call): Json {
  const [subject = null, wanted = null] = call.all;
  if (isArray(subject)) return subject.some((element) => isEqual(element, wanted, call.fuel));
  if (typeof subject !== "string") return call.reject(0, "string or array");
  if (typeof wanted !== "string") return false;
  call.fuel.spendSearch(subject.length, wanted.length);
  return subject.includes(wanted);
}

function join(call: Call): Json {
  const glue = call.get(0, string);
  const texts = call.list(1, string);
  call.fuel.spendText(texts.reduce((sum, { length }) => sum + length, glue.length * texts.length));
  return texts.join(glue);
}

/** Returns the length of a list or object, or the number of code points in a text. */
function lengthOf(call: Call): Json {
  const subject = call.any(0);
  if (isArray(subject)) return subject.length;
  if (isObject(subject)) return call.fuel.namesOf(subject).length;
  if (typeof subject !== "string") return call.reject(0, "string, array or object");
  call.fuel.spend(subject.length);
  return [...subject].length;
}

/** Reverses a list, or a text by code points. */
function reverse(call: Call): Json {
  const subject = call.any(0);
  if (typeof subject !== "string" && !isArray(subject)) return call.reject(0, "string or array");
  call.fuel.spend(subject.length);
  return typeof subject === "string" ? [...subject].reverse().join("") : subject.toReversed();
}

function map(call: Call): JsonArray {
  const values = call.get(1, array);
  call.fuel.spend(values.length);
  return values.map(call.each);
}

/** Returns the sorted first argument. Equal elements keep their order. */
function sorted(call: Call, { length, compare }: Order): JsonArray {
  const values = call.get(0, array);
  call.fuel.spendSort(length);
  return [...values.keys()].sort(compare).map((place) => values[place] ?? null);
}

/** Returns the maximum or minimum. Among equal elements, the first one counts. */
function extreme(call: Call, { length, compare }: Order, direction: 1 | -1): Json {
  let found = 0;
  for (let place = 1; place < length; place++) if (direction * compare(place, found) > 0) found = place;
  return call.get(0, array)[found] ?? null;
}

function merge(call: Call): Json {
  const merged: Record<string, Json> = {};
  for (const index of call.all.keys()) {
    const source = call.get(index, object);
    const names = call.fuel.namesOf(source);
    call.fuel.spendMembers(1 + names.length, names.length);
    for (const name of names) setMember(merged, name, source[name] ?? null);
  }
  return merged;
}

/** Compiles a function call. Rejects an unknown name, a wrong number of arguments, or a misplaced expression. */
export function planFunction(
  name: string | undefined,
  parts: readonly (Syntax | undefined)[],
  plan: (syntax: Syntax | undefined) => Evaluate,
): Evaluate {
  if (name === undefined) throw new InvalidExpression("Expected a function name");
  const builtin = builtins.get(name);
  if (!builtin) throw new InvalidExpression(`Unknown function: ${name}()`);
  const { arity, more = false, reference, run } = builtin;
  if (more ? parts.length < arity : parts.length !== arity)
    throw new InvalidExpression(
      `ArgumentError: ${name}() takes ${more ? "at least " : ""}${arity} ${arity === 1 ? "argument" : "arguments"} but received ${parts.length}`,
    );
  let each: Evaluate = (value) => value;
  const given = parts.map((part, index): Evaluate => {
    if (index !== reference) return plan(part);
    if (part?.type !== "ExpressionReference")
      throw new InvalidExpression(`TypeError: ${name}() expected argument ${index + 1} to be type expression`);
    each = plan(part.children[0]);
    return () => null;
  });
  return (value, fuel) => {
    fuel.spend(1 + given.length);
    const values = given.map((argument) => argument(value, fuel));
    return run(new Call(name, values, (element) => each(element, fuel), fuel));
  };
}

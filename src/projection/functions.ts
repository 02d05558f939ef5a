import type { Sortable } from "./call.ts";
import { type Builtin, Call } from "./call.ts";
import { isEqual, numberOrder, type Order, textOrder } from "./compare.ts";
import type { Evaluate, Fuel } from "./fuel.ts";
import { namesOf, sizeOf, writeCost } from "./members.ts";
import { InvalidExpression } from "./projection-errors.ts";
import { textOf } from "./serialize.ts";
import type { Syntax } from "./syntax.ts";
import { holdsText } from "./text-search.ts";
import { isArray, isObject, type Json, kindOf, setMember } from "./value.ts";

const textFunctions = {
  starts_with: {
    arity: 2,
    run: (call) => {
      const start = call.string(1);
      call.fuel.spendText(start.length);
      return call.string(0).startsWith(start);
    },
  },
  ends_with: {
    arity: 2,
    run: (call) => {
      const end = call.string(1);
      call.fuel.spendText(end.length);
      return call.string(0).endsWith(end);
    },
  },
  join: {
    arity: 2,
    run: (call) => {
      const glue = call.string(0);
      const texts = call.strings(1);
      let characters = glue.length * texts.length;
      for (const text of texts) characters += text.length;
      call.fuel.spendText(characters);
      return texts.join(glue);
    },
  },
  to_string: {
    arity: 1,
    run: (call) => {
      const value = call.any(0);
      return typeof value === "string" ? value : textOf(value, call.fuel);
    },
  },
} satisfies Record<string, Builtin>;

/** Counts code points instead of UTF-16 units. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) if (isPair(text, index)) length -= 1;
  return length;
}

/** Reverses a text by code point. */
function reversed(text: string): string {
  const { length } = text;
  const units = new Uint16Array(length);
  for (let index = 0; index < length; index++) {
    const start = index;
    if (isPair(text, index)) index += 1;
    for (let unit = start; unit <= index; unit++) units[length - 1 - index + unit - start] = text.charCodeAt(unit);
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}

const listFunctions = {
  contains: {
    arity: 2,
    run: (call) => {
      const wanted = call.any(1);
      const subject = call.any(0);
      if (isArray(subject)) return subject.some((element) => isEqual(element, wanted, call.fuel));
      if (typeof subject !== "string") return call.reject(0, "string or array");
      if (typeof wanted !== "string") return false;
      call.fuel.spendSearch(subject.length, wanted.length);
      return holdsText(subject, wanted);
    },
  },
  length: {
    arity: 1,
    run: (call) => {
      const subject = call.any(0);
      if (isArray(subject)) return subject.length;
      if (isObject(subject)) return sizeOf(subject, call.fuel).members;
      if (typeof subject !== "string") return call.reject(0, "string, array or object");
      call.fuel.spend(subject.length);
      return lengthOf(subject);
    },
  },
  reverse: {
    arity: 1,
    run: (call) => {
      const subject = call.any(0);
      if (typeof subject !== "string" && !isArray(subject)) return call.reject(0, "string or array");
      call.fuel.spend(subject.length);
      return typeof subject === "string" ? reversed(subject) : subject.toReversed();
    },
  },
  to_array: {
    arity: 1,
    run: (call) => {
      const value = call.any(0);
      return isArray(value) ? value : [value];
    },
  },
  map: {
    arity: 2,
    reference: 0,
    run: (call) => {
      const array = call.array(1);
      call.fuel.spend(array.length);
      return array.map(call.each);
    },
  },
  sort: {
    arity: 1,
    run: (call) => {
      const { numbers, strings } = call.sortable(0);
      call.fuel.spendSort((numbers ?? strings).length);
      return numbers ? numbers.toSorted(numberOrder) : strings.toSorted(textOrder(strings, call.fuel));
    },
  },
  sort_by: {
    arity: 2,
    reference: 1,
    run: (call) => {
      const array = call.array(0);
      return places(call.keys(0), call.fuel).map((place) => array[place] ?? null);
    },
  },
  max: { arity: 1, run: (call) => extreme(call.sortable(0), 1, call.fuel).value },
  min: { arity: 1, run: (call) => extreme(call.sortable(0), -1, call.fuel).value },
  max_by: { arity: 2, reference: 1, run: (call) => extremeBy(call, 1) },
  min_by: { arity: 2, reference: 1, run: (call) => extremeBy(call, -1) },
} satisfies Record<string, Builtin>;

/** Returns the sorted indexes of the keys. The sort is stable. */
function places({ numbers, strings }: Sortable, fuel: Fuel): readonly number[] {
  fuel.spendSort((numbers ?? strings).length);
  return numbers ? orderedPlaces(numbers, numberOrder) : orderedPlaces(strings, textOrder(strings, fuel));
}

function orderedPlaces<T>(keys: readonly T[], order: Order<T>): readonly number[] {
  return keys
    .map((key, place) => ({ key, place }))
    .sort((one, other) => order(one.key, other.key))
    .map(({ place }) => place);
}

function extremeBy(call: Call, direction: 1 | -1): Json {
  return call.array(0)[extreme(call.keys(0), direction, call.fuel).place] ?? null;
}

/** Returns the first maximum, or the first minimum. */
function extreme({ numbers, strings }: Sortable, direction: 1 | -1, fuel: Fuel): { value: Json; place: number } {
  const place = numbers
    ? extremePlace(numbers, numberOrder, direction)
    : extremePlace(strings, textOrder(strings, fuel), direction);
  return { value: (numbers ?? strings)[place] ?? null, place };
}

function extremePlace<T>(values: readonly T[], order: Order<T>, direction: 1 | -1): number {
  let found = 0;
  let best = values[0];
  for (const [place, value] of values.entries()) {
    if (best === undefined || direction * order(value, best) <= 0) continue;
    found = place;
    best = value;
  }
  return found;
}

const numberFunctions = {
  abs: { arity: 1, run: (call) => Math.abs(call.number(0)) },
  ceil: { arity: 1, run: (call) => Math.ceil(call.number(0)) },
  floor: { arity: 1, run: (call) => Math.floor(call.number(0)) },
  sum: { arity: 1, run: (call) => finite(total(call.numbers(0))) },
  avg: {
    arity: 1,
    run: (call) => {
      const numbers = call.numbers(0);
      return numbers.length === 0 ? null : finite(total(numbers) / numbers.length);
    },
  },
  to_number: {
    arity: 1,
    run: (call) => {
      const value = call.any(0);
      if (typeof value === "number") return value;
      if (typeof value !== "string") return null;
      call.fuel.spendText(value.length);
      return json.test(value) ? finite(Number(value)) : null;
    },
  },
} satisfies Record<string, Builtin>;

const json = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function total(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** JSON cannot represent infinity and NaN, so they become `null`. */
function finite(number: number): Json {
  return Number.isFinite(number) ? number : null;
}

const objectFunctions = {
  keys: {
    arity: 1,
    run: (call) => namesOf(call.object(0), call.fuel),
  },
  values: {
    arity: 1,
    run: (call) => {
      const object = call.object(0);
      call.fuel.spend(sizeOf(object, call.fuel).cost);
      return Object.values(object);
    },
  },
  merge: {
    arity: 1,
    more: true,
    run: (call) => {
      const merged: Record<string, Json> = {};
      for (const index of call.all.keys()) {
        const object = call.object(index);
        call.fuel.spend(4);
        for (const name of namesOf(object, call.fuel)) {
          call.fuel.spend(2 + writeCost(name));
          setMember(merged, name, object[name] ?? null);
        }
      }
      return merged;
    },
  },
  not_null: { arity: 1, more: true, run: (call) => call.all.find((value) => value !== null) ?? null },
  type: { arity: 1, run: (call) => kindOf(call.any(0)) },
} satisfies Record<string, Builtin>;

const builtins: ReadonlyMap<string, Builtin> = new Map(
  [numberFunctions, textFunctions, listFunctions, objectFunctions].flatMap((group) => Object.entries(group)),
);

/** Compiles a call. Errors that do not depend on values are reported here: name, arity, expression references. */
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
    fuel.spend(2 + given.length);
    const values = given.map((argument) => argument(value, fuel));
    return run(new Call(name, values, (element) => each(element, fuel), fuel));
  };
}

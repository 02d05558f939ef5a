import type { Fuel } from "./fuel.ts";
import { InvalidExpression } from "./projection-errors.ts";
import { isArray, isObject, type Json, type JsonArray, type JsonObject, kindOf } from "./value.ts";

/** Type of an argument, with its check. */
interface Type<T extends Json> {
  readonly name: string;
  readonly is: (value: Json) => value is T;
}

const isNumber = (value: Json): value is number => typeof value === "number";
const isString = (value: Json): value is string => typeof value === "string";
export const number: Type<number> = { name: "number", is: isNumber };
export const string: Type<string> = { name: "string", is: isString };
export const array: Type<JsonArray> = { name: "array", is: isArray };
export const object: Type<JsonObject> = { name: "object", is: isObject };

/** A function call with its evaluated arguments. Throws `ProjectionFailed` for an argument of the wrong type. */
export class Call {
  readonly #name: string;
  readonly all: JsonArray;
  readonly fuel: Fuel;
  /** Evaluates the expression in an argument, such as `&name`, on a value. */
  readonly each: (value: Json) => Json;

  constructor(name: string, all: JsonArray, each: (value: Json) => Json, fuel: Fuel) {
    this.#name = name;
    this.all = all;
    this.each = each;
    this.fuel = fuel;
  }

  any(index: number): Json {
    return this.all[index] ?? null;
  }

  get<T extends Json>(index: number, { name, is }: Type<T>): T {
    const value = this.any(index);
    return is(value) ? value : this.reject(index, name);
  }

  list<T extends Json>(index: number, { name, is }: Type<T>, expected = `array of ${name}s`): readonly T[] {
    const value = this.get(index, array);
    this.fuel.spend(value.length);
    return value.every(is) ? value : this.reject(index, expected);
  }

  /** Returns the order of the elements of an array of numbers or strings. */
  order(index: number): Order {
    return isString(this.get(index, array)[0] ?? null)
      ? textOrder(this.list(index, string), this.fuel)
      : numberOrder(this.list(index, number, "array of numbers or of strings"));
  }

  /** Returns the order of array elements by a key, which is a number in every element or a string in every element. */
  orderByKey(index: number): Order {
    const values = this.get(index, array);
    this.fuel.spend(values.length);
    const keys = values.map(this.each);
    if (keys.every(isString)) return textOrder(keys, this.fuel);
    if (keys.every(isNumber)) return numberOrder(keys);
    const odd = keys.find((key) => !isNumber(key) && !isString(key)) ?? null;
    const received = isNumber(odd) || isString(odd) ? "both" : kindOf(odd);
    throw new InvalidExpression(
      `TypeError: ${this.#name}() expected its expression to return numbers or strings, received ${received}`,
    );
  }

  reject(index: number, expected: string): never {
    const received = kindOf(this.any(index));
    throw new InvalidExpression(
      `TypeError: ${this.#name}() expected argument ${index + 1} to be type ${expected} but received type ${received}`,
    );
  }
}

export function valuesOf(object: JsonObject, fuel: Fuel): JsonArray {
  const names = fuel.namesOf(object);
  fuel.spendMembers(names.length);
  return names.map((name) => object[name] ?? null);
}

/** Returns whether two values are deeply equal. The order of members does not matter. */
export function isEqual(one: Json, other: Json, fuel: Fuel): boolean {
  fuel.spend(1);
  if (isString(one) && isString(other) && one.length === other.length) fuel.spendText(one.length);
  if (one === other) return true;
  if (isArray(one))
    return (
      isArray(other) &&
      one.length === other.length &&
      one.every((element, index) => isEqual(element, other[index] ?? null, fuel))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const names = fuel.namesOf(one);
  if (names.length !== fuel.namesOf(other).length) return false;
  fuel.spendMembers(names.length);
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name] ?? null, other[name] ?? null, fuel));
}

/** Compares elements of an array by index: numbers ascending, strings by code point. */
export interface Order {
  readonly length: number;
  readonly compare: (one: number, other: number) => number;
}

function numberOrder(numbers: readonly number[]): Order {
  return { length: numbers.length, compare: (one, other) => (numbers[one] ?? 0) - (numbers[other] ?? 0) };
}

/** Orders texts by code point. The order by UTF-16 unit, as in JavaScript, differs only above U+D7FF. */
function textOrder(texts: readonly string[], fuel: Fuel): Order {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  // A sort compares each string about log2(n) times, and a comparison reads at most the shorter string.
  fuel.spendText(characters * Math.ceil(Math.log2(texts.length + 1)));
  const compare = texts.some((text) => /[\ud800-\uffff]/.test(text)) ? byCodePoint : byUnit;
  return { length: texts.length, compare: (one, other) => compare(texts[one] ?? "", texts[other] ?? "") };
}

function byUnit(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function byCodePoint(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const difference = rank(one.charCodeAt(index)) - rank(other.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Returns the rank of a UTF-16 unit. Surrogates rank last, because they encode the highest code points. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

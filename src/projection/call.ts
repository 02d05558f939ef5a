import type { Fuel } from "./fuel.ts";
import { InvalidExpression } from "./projection-errors.ts";
import { isArray, isObject, type Json, type JsonArray, type JsonObject, kindOf } from "./value.ts";

/** A built-in function of JMESPath. */
export interface Builtin {
  /** Number of arguments, or their minimum for variadic functions. */
  readonly arity: number;
  readonly more?: boolean;
  /** Index of the argument that is an expression reference. */
  readonly reference?: number;
  readonly run: (call: Call) => Json;
}

/** The arguments of one function call, converted to their types. A wrong type throws `ProjectionFailed`. */
export class Call {
  readonly #name: string;
  readonly #values: JsonArray;
  readonly fuel: Fuel;
  /** Evaluates the expression reference on a value. */
  readonly each: (value: Json) => Json;

  constructor(name: string, values: JsonArray, each: (value: Json) => Json, fuel: Fuel) {
    this.#name = name;
    this.#values = values;
    this.each = each;
    this.fuel = fuel;
  }

  get all(): JsonArray {
    return this.#values;
  }

  any(index: number): Json {
    return this.#values[index] ?? null;
  }

  number(index: number): number {
    const value = this.any(index);
    return typeof value === "number" ? value : this.reject(index, "number");
  }

  string(index: number): string {
    const value = this.any(index);
    return typeof value === "string" ? value : this.reject(index, "string");
  }

  array(index: number): JsonArray {
    const value = this.any(index);
    return isArray(value) ? value : this.reject(index, "array");
  }

  object(index: number): JsonObject {
    const value = this.any(index);
    return isObject(value) ? value : this.reject(index, "object");
  }

  numbers(index: number): readonly number[] {
    return this.#arrayOf(index, isNumber, "array of numbers");
  }

  strings(index: number): readonly string[] {
    return this.#arrayOf(index, isString, "array of strings");
  }

  /** Returns an array of numbers or strings. */
  sortable(index: number): Sortable {
    const value = this.array(index);
    return typeof value[0] === "string"
      ? { strings: this.strings(index) }
      : { numbers: this.#arrayOf(index, isNumber, "array of numbers or of strings") };
  }

  /** Returns the sort key of each element: all numbers or all strings. */
  keys(index: number): Sortable {
    const array = this.array(index);
    this.fuel.spend(array.length);
    const keys = array.map(this.each);
    if (keys.every(isString)) return { strings: keys };
    if (keys.every(isNumber)) return { numbers: keys };
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

  #arrayOf<T extends Json>(index: number, is: (value: Json) => value is T, expected: string): readonly T[] {
    const value = this.array(index);
    this.fuel.spend(value.length);
    return value.every(is) ? value : this.reject(index, expected);
  }
}

/** Values of one of the two ordered types. */
export type Sortable =
  | { readonly numbers: readonly number[]; readonly strings?: never }
  | { readonly strings: readonly string[]; readonly numbers?: never };

function isNumber(value: Json): value is number {
  return typeof value === "number";
}

function isString(value: Json): value is string {
  return typeof value === "string";
}

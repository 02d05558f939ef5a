import { maxSearchCharacters } from "../contract/request/request-size.ts";
import { ProjectionFailed } from "./projection-errors.ts";
import type { Json, JsonObject } from "./value.ts";

/** A compiled expression, as a function from its input to its result. Throws `ProjectionFailed`. */
export type Evaluate = (value: Json, fuel: Fuel) => Json;

/**
 * Maximum cost of one evaluation, which `evaluateInTurn` runs. A unit takes 10 to 40 nanoseconds (100 at worst) and at
 * most 60 bytes.
 */
export const fuelLimit = 300_000;

/**
 * Cost of one evaluation, which is spent before each step:
 *
 * - step: 1. Every node except literals and `@` is a step. A function call is 2 steps, and 1 per argument.
 * - element of a list that is read, written or compared: 1
 * - member of an object: 2 to read or compare it, 5 to write it. The first visit to an object is 1, and 1 per name.
 * - text: 1 for 8 characters that are read, compared or written; 8 times as much in `length` and `reverse`
 * - search of n characters in a text: `spendSearch`
 * - order of n elements: `spendSort` in addition to reading them
 * - JSON of a result or of `to_string`: 1 for each value, counting shared ones each time
 *
 * The sizes of an expression and of a result bound the time for parsing, compiling and serializing: 10 milliseconds at worst.
 */
export class Fuel {
  #left = fuelLimit;
  /** Names of visited objects, cached because an expression may visit the same object a million times. */
  readonly #names = new Map<JsonObject, readonly string[]>();

  /** Spends part of the expression's budget. Throws if the budget is used up. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new ProjectionFailed("projection_too_expensive", `more than ${fuelLimit} steps`);
  }

  spendMembers(read: number, written = 0): void {
    this.spend(2 * read + 5 * written);
  }

  /** Returns the names of an object's members, and spends their cost. */
  namesOf(object: JsonObject): readonly string[] {
    const known = this.#names.get(object);
    if (known) return known;
    const names = Object.keys(object);
    this.#names.set(object, names);
    this.spend(1 + names.length);
    return names;
  }

  /** Spends the cost of reading characters, because an expression may read the same text millions of times. */
  spendText(characters: number): void {
    this.spend(Math.floor(characters / 8));
  }

  /** Spends the cost of a search. Throws if the searched text is long, because it may be compared at each position. */
  spendSearch(characters: number, wanted: number): void {
    if (wanted > maxSearchCharacters)
      throw new ProjectionFailed(
        "projection_too_expensive",
        `a text that is searched for has ${wanted} characters, at most ${maxSearchCharacters} are allowed`,
      );
    this.spendText(characters + (characters * wanted) / 8);
  }

  /** Spends the cost of sorting a number of elements. */
  spendSort(elements: number): void {
    this.spend(8 + elements * Math.ceil(Math.log2(elements + 1)));
  }

  get left(): number {
    return this.#left;
  }

  /** Returns how much of the budget was spent. A step that would exceed it was not executed and costs nothing. */
  get spent(): number {
    return fuelLimit - Math.max(0, this.#left);
  }
}

/** Budget of all evaluations in one turn of the event loop. The last evaluation may exceed it. */
const fuelInTurn = fuelLimit;

let spentInTurn = 0;
let isTurnCounted = false;
const waiting: (() => void)[] = [];

/** Evaluates now if this turn of the event loop has budget left. Otherwise evaluates in a later turn, in order. */
export async function evaluateInTurn<T>(evaluate: (fuel: Fuel) => T): Promise<T> {
  while (spentInTurn >= fuelInTurn) await new Promise<void>((resolve) => waiting.push(resolve));
  const fuel = new Fuel();
  try {
    return evaluate(fuel);
  } finally {
    spentInTurn += fuel.spent;
    if (!isTurnCounted) countTurn();
  }
}

function countTurn(): void {
  isTurnCounted = true;
  setImmediate(() => {
    isTurnCounted = false;
    spentInTurn = 0;
    waiting.shift()?.();
    if (waiting.length > 0) countTurn();
  });
}

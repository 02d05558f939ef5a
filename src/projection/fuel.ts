import { ProjectionFailed } from "./projection-errors.ts";
import type { Json, JsonObject, Size } from "./value.ts";

/** A compiled expression. Throws `ProjectionFailed`. */
export type Evaluate = (value: Json, fuel: Fuel) => Json;

/**
 * Maximum cost of one evaluation, which `evaluateInTurn` runs. A unit takes 10 to 40 nanoseconds (80 at worst) and at most 60
 * bytes.
 */
export const fuelLimit = 300_000;

/**
 * Cost of one evaluation, which is spent before each step. Every node except literals and `@` costs 1, and a function call
 * costs 2 and 1 per argument. The list shows the further units, for n elements or members and c characters:
 *
 * - truth (`!`, `&&`, `||`, `[?]`) and order (`<` etc.): 0
 * - enumerating the members of an object: 2 n, or 64 + 8 n with numeric names; the first visit to a large object doubles this
 * - writing a member: 2; 4 in a hash of more than 16; 8 to 136 for a numeric name; 16 for `__proto__`
 * - `[*]`, slices, `map`, `reverse` of a list: n
 * - `[]`: n, and n of the nested lists
 * - `[?]`: n, and 1 for each matching element
 * - `*`, `values`, `keys`: enumerating the members
 * - `[a, b]`: n; `{a: b}`: writing n members; `merge`: 4 per object, enumerating and writing the members, and 2 n
 * - `==`, `!=`, `contains` of a list: 1 for each compared pair; c / 8 for texts of the same length; enumerating the members
 *   and 2 n for objects of the same size
 * - `contains` of a text: c / 4, and c / 2 of the search text
 * - `starts_with`, `ends_with`, `to_number`: c / 8
 * - `length`, `reverse` of a text: c
 * - `join`: n + c / 8 of the result
 * - `to_string`: 1 for each list and object, counting shared ones each time; half the minimum length of the JSON (3 for a
 *   fraction); c / 8 of the JSON; enumerating members with numeric names twice
 * - `sum`, `avg`: n; `max`, `min`: n, and c / 8 log n for texts
 * - `sort`: n + 8 + n log n, and c / 8 log n for texts
 * - `sort_by`, `max_by`, `min_by`: n for the keys, then like `sort` and `max`
 * - serializing the result: 0.5 for each list and object, and enumerating members with numeric names twice
 *
 * The sizes of an expression and of a result bound the time for parsing, compiling and serializing: 10 milliseconds at worst.
 */
export class Fuel {
  #left = fuelLimit;
  /** Sizes of the large objects that were visited. */
  readonly sizes = new Map<JsonObject, Size>();

  /** Throws if the limit is exceeded. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new ProjectionFailed("projection_too_expensive", `more than ${fuelLimit} steps`);
  }

  /**
   * Reading, comparing or copying eight characters costs one unit. Texts that are visited repeatedly may add up to
   * billions.
   */
  spendText(characters: number): void {
    this.spend(Math.floor(characters / 8));
  }

  /** Cost of a text search. Each character may be compared twice, those of the search text more often. */
  spendSearch(characters: number, wanted: number): void {
    this.spend(Math.floor((characters + 2 * wanted) / 4));
  }

  /** Cost of sorting this number of elements. */
  spendSort(elements: number): void {
    this.spend(8 + elements * Math.ceil(Math.log2(elements + 1)));
  }

  get left(): number {
    return this.#left;
  }

  /** The step that exceeded the limit was not done, so it does not count. */
  get spent(): number {
    return fuelLimit - Math.max(0, this.#left);
  }
}

import { ProjectionFailed } from "./projection-errors.ts";
import type { Json, JsonObject, Size } from "./value.ts";

/** An expression ready to run on a value. Throws `ProjectionFailed`. */
export type Evaluate = (value: Json, fuel: Fuel) => Json;

/** Maximum cost of one evaluation; `evaluateInTurn` runs them. A unit takes 10 to 40 nanoseconds, at worst 80, and at most 60 bytes. */
export const fuelLimit = 300_000;

/**
 * The cost of one evaluation. Everything is paid for before it is done. Beside 1 for each node of the expression that is not a
 * literal or `@`, and 2 + its arguments for a call, in units for n elements or members and c characters:
 *
 * - truth (`!`, `&&`, `||`, `[?]`) and order (`<` and such): nothing more, whatever the values are
 * - going through the members of an object: 2 n; 64 + 8 n when names are numbers; once more at the first look at a large one
 * - writing a member: 2; 4 in a hash of more than 16; 8 to 136 when its name is a number, 16 for `__proto__`
 * - `[*]`, slices, `map`, `reverse` of a list: n
 * - `[]`: n, and n of the lists inside
 * - `[?]`: n, and 1 for each element that passes
 * - `*`, `values`, `keys`: going through the members
 * - `[a, b]`: n; `{a: b}`: writing n members; `merge`: 4 an object, going through the members and writing them, + 2 n
 * - `==`, `!=`, `contains` of a list: 1 for each pair of values met; of texts of one length c / 8; of objects of one size going
 *   through the members + 2 n
 * - `contains` of a text: c / 4, and c / 2 of what is looked for
 * - `starts_with`, `ends_with`, `to_number`: c / 8
 * - `length`, `reverse` of a text: c
 * - `join`: n + c / 8 of what it makes
 * - `to_string`: 1 for each list and object, shared ones wherever they stand, half of the least length of the JSON (3 for a
 *   fraction), c / 8 of the JSON, and going twice through members whose names are numbers
 * - `sum`, `avg`: n; `max`, `min`: n, and for texts c / 8 log n
 * - `sort`: n + 8 + n log n, and for texts c / 8 log n
 * - `sort_by`, `max_by`, `min_by`: n for the keys, then as `sort` and `max`
 * - writing the result: half a unit for each list and object, and going twice through members whose names are numbers
 *
 * Parsing an expression, planning it and writing a result of full size are bounded by their sizes: at worst 10 milliseconds.
 */
export class Fuel {
  #left = fuelLimit;
  /** The sizes of the large objects that were met. */
  readonly sizes = new Map<JsonObject, Size>();

  /** Throws when more is spent than there is. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new ProjectionFailed("projection_too_expensive", `more than ${fuelLimit} steps`);
  }

  /** Reading, comparing or copying characters is cheap: eight are one unit. Of texts met again and again there may be billions. */
  spendText(characters: number): void {
    this.spend(Math.floor(characters / 8));
  }

  /** Looking for a text in another: each character may be compared twice, those of the one looked for more often. */
  spendSearch(characters: number, wanted: number): void {
    this.spend(Math.floor((characters + 2 * wanted) / 4));
  }

  /** What an ordering of so many elements compares. */
  spendSort(elements: number): void {
    this.spend(8 + elements * Math.ceil(Math.log2(elements + 1)));
  }

  get left(): number {
    return this.#left;
  }

  /** The refused step was not done, so it does not count. */
  get spent(): number {
    return fuelLimit - Math.max(0, this.#left);
  }
}

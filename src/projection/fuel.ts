import { ProjectionFailed } from "../errors.ts";
import type { Size } from "./members.ts";
import type { Json, JsonObject } from "./value.ts";

/** An expression ready to run on a value. Throws `ProjectionFailed`. */
export type Evaluate = (value: Json, fuel: Fuel) => Json;

/** What one evaluation may cost. A unit takes 10 to 40 nanoseconds, at worst 80, and at most 60 bytes. */
export const fuelLimit = 300_000;

/**
 * The cost of one evaluation. Everything is paid for before it is done; n are elements or members, c characters.
 *
 * | what                                             | units                                                        |
 * |--------------------------------------------------|--------------------------------------------------------------|
 * | field, index, pipe, `!`, `&&`, `||`, `<` and such | 1; a truth test is in it, whatever the value                 |
 * | `@`, a literal                                   | none: they hand over what is there                           |
 * | going through the members of an object           | 2 n; 64 + 8 n where names are numbers. Once more for the first look at more than 16 members, or at numbers |
 * | writing a member                                 | 2; 4 in a hash of more than 16; a number as name 8 to 136, `__proto__` 16 |
 * | `[*]`, `[]`, slices, `map`, `reverse` of a list  | n taken up, with n of the lists inside for `[]`               |
 * | `[?]`                                            | n, and 1 for each element that passes                        |
 * | `*`, `values`, `keys`                            | going through the members                                    |
 * | `[a, b]`, `{a: b}`                               | 1 + n; 1 + writing n members                                 |
 * | a call of a function                             | 2 + its arguments; the rest comes on top                     |
 * | `==`, `!=`, `contains` of a list                 | 1 for each pair of values, c / 8 of texts of one length, going through the members + 2 n of objects of one size |
 * | `contains` of a text                             | c / 4 of the text + c / 2 of what is looked for              |
 * | `starts_with`, `ends_with`                       | c / 8 of the start or end                                    |
 * | `join`                                           | n + c / 8 of what it makes                                   |
 * | `length`, `reverse` of a text                    | c                                                            |
 * | `to_number`                                      | c / 8                                                        |
 * | `to_string`                                      | half of the JSON's least length, which is 3 for a fraction and counts shared parts wherever they stand; c / 8 of the JSON; going twice through members with numbers as names |
 * | `merge`                                          | 4 for each object, going through the members, writing them + 2 n |
 * | `sum`, `avg`, `max`, `min`                       | n; of texts as `sort`, but for the n log n                   |
 * | `sort`                                           | n + 8 + n log n; c / 8 log n of texts                        |
 * | `sort_by`, `max_by`, `min_by`                    | n for the keys + as `sort`, `max`                            |
 * | `abs`, `ceil`, `floor`, `type`, `not_null`, `to_array` | the call                                               |
 * | writing the result                               | going twice through members with numbers as names; its size bounds the rest |
 *
 * What the parser, the plan and a result of full size take besides comes to some 10 milliseconds at worst.
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

  /** Reading, comparing or copying characters is cheap: eight are one unit. */
  spendText(characters: number): void {
    this.spend(characters >> 3);
  }

  /** Looking for a text in another: each character may be compared twice, those of the one looked for more often. */
  spendSearch(characters: number, wanted: number): void {
    this.spend((characters + 2 * wanted) >> 2);
  }

  /** What an ordering of so many elements compares. */
  spendSort(elements: number): void {
    this.spend(8 + elements * Math.ceil(Math.log2(elements + 1)));
  }

  get left(): number {
    return this.#left;
  }
}

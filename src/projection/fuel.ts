import { ProjectionFailed } from "../errors.ts";
import type { Json } from "./value.ts";

/** An expression ready to run on a value. Throws `ProjectionFailed`. */
export type Evaluate = (value: Json, fuel: Fuel) => Json;

/** What one evaluation may cost. Its worst unit takes about 40 nanoseconds and 30 bytes. */
export const fuelLimit = 300_000;

/** The cost of one evaluation: nodes visited, elements and members produced or compared, characters read or made. */
export class Fuel {
  #left = fuelLimit;

  /** Throws when more is spent than there is. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new ProjectionFailed("projection_too_expensive", `more than ${fuelLimit} steps`);
  }

  /** Characters are cheap: eight are one unit. */
  spendText(characters: number): void {
    this.spend(characters >> 3);
  }

  /** What an ordering of so many elements compares. */
  spendSort(elements: number): void {
    this.spend(elements * Math.ceil(Math.log2(elements + 1)));
  }

  get left(): number {
    return this.#left;
  }
}

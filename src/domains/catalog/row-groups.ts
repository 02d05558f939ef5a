import type { Column, Place } from "../../contract/columns.ts";
import type { Dimension } from "../../contract/dimensions.ts";
import { columnUnit } from "../../contract/labels.ts";

export interface Group {
  /** The value of the group in each dimension; undefined if it is unknown. */
  readonly values: readonly (string | undefined)[];
  readonly unit: string;
  rows: number;
  sum: number | undefined;
  unknownValues: number;
}

/** A column whose values are summed. Its unit is fixed, or is the value of another column. */
export interface Summed {
  readonly column: Column;
  readonly unitColumn: Column | undefined;
}

/** Groups rows by their values in each dimension. A row with several values is in the group of each. */
export class RowGroups {
  readonly #dimensions: readonly Dimension[];
  readonly #summed: Summed | undefined;
  readonly #groups = new Map<string, Group>();
  rows = 0;

  constructor(dimensions: readonly Dimension[], summed: Summed | undefined) {
    this.#dimensions = dimensions;
    this.#summed = summed;
  }

  get count(): number {
    return this.#groups.size;
  }

  add(places: readonly Place[]): void {
    for (const place of places) {
      this.rows++;
      const value = this.#summed?.column.read(place);
      const unit = unitOf(this.#summed, place);
      for (const values of combinations(this.#dimensions.map(({ valuesOf }) => valuesOf(place)))) {
        const group = this.#groupOf(values, unit);
        group.rows++;
        if (typeof value === "number") group.sum = (group.sum ?? 0) + value;
        else if (typeof value === "string" && value !== "" && Number.isFinite(Number(value)))
          group.sum = (group.sum ?? 0) + Number(value);
        else if (this.#summed) group.unknownValues++;
      }
    }
  }

  #groupOf(values: Group["values"], unit: string): Group {
    const key = JSON.stringify([...values, unit]);
    const known = this.#groups.get(key);
    if (known) return known;
    const made = { values, unit, rows: 0, sum: undefined, unknownValues: 0 };
    this.#groups.set(key, made);
    return made;
  }

  /** Returns the groups by time if that is a dimension, then by number of rows. Unknown values are last. */
  sorted(): readonly Group[] {
    const order = [...this.#dimensions.entries()];
    const byTime = (a: Group, b: Group) =>
      order.reduce((found, [at, { isTime }]) => found || (isTime ? compare(a.values[at], b.values[at]) : 0), 0);
    const byValue = (a: Group, b: Group) =>
      order.reduce((found, [at]) => found || compare(a.values[at], b.values[at]), 0) || compare(a.unit, b.unit);
    return [...this.#groups.values()].sort((a, b) => byTime(a, b) || b.rows - a.rows || byValue(a, b));
  }
}

function combinations(lists: readonly (readonly string[])[]): (string | undefined)[][] {
  return lists.reduce<(string | undefined)[][]>(
    (made, values) =>
      made.flatMap((before) => (values.length > 0 ? values : [undefined]).map((each) => [...before, each])),
    [[]],
  );
}

function compare(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}

function unitOf(summed: Summed | undefined, place: Place): string {
  if (!summed) return "";
  const { column, unitColumn } = summed;
  return columnUnit(unitColumn ? String(unitColumn.read(place) ?? "") : column.unit, column.scale);
}

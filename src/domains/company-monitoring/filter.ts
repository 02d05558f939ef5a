import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";

/** Columns and the values that they may have; of a column without values any. */
export type Filter = Readonly<Record<string, readonly (string | number)[]>>;

/** The same for filters that let the same rows through: order and repetitions do not count. */
export function filterHash(filter: Filter): string {
  const canonical = Object.entries(filter)
    .map(([column, values]) => [column, [...new Set(values.map(String))].sort(byText)] as const)
    .filter(([, values]) => values.length > 0)
    .sort(([a], [b]) => byText(a, b));
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Whether a row of this alias is let through. */
export function matches(filter: Filter, row: string): RawBuilder<boolean> {
  const conditions = Object.entries(filter)
    .filter(([, values]) => values.length > 0)
    .map(([column, values]) => sql<boolean>`${sql.ref(`${row}.${column}`)} in (${sql.join([...new Set(values)])})`);
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

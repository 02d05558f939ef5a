import { type RawBuilder, sql } from "kysely";

/** A condition on a row. */
export type Condition = RawBuilder<boolean>;

/** A text holds another, letter by letter. */
export function contains(text: RawBuilder<unknown>, part: string): Condition {
  return sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, "\\$&")}%`}`;
}

export function and(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
}

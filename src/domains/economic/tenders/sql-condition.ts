import { type RawBuilder, sql } from "kysely";

export type Condition = RawBuilder<boolean>;

/** Returns the condition that a text contains another text literally. */
export function contains(text: RawBuilder<unknown>, part: string): Condition {
  return sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, "\\$&")}%`}`;
}

export function hasOne(terms: readonly string[]): Condition {
  return sql<boolean>`terms @@ ${terms.map(lexeme).join(" | ")}::tsquery`;
}

export function lexeme(term: string): string {
  return `'${term.replace(/['\\]/g, "$&$&")}'`;
}

export function and(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
}

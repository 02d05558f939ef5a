import { type RawBuilder, sql } from "kysely";

export type Condition = RawBuilder<boolean>;

/** Returns the condition that a text contains another text literally. */
export function contains(text: RawBuilder<unknown>, part: string): Condition {
  return sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, "\\$&")}%`}`;
}

/** Returns the condition that a row has at least one of these terms. */
export function hasOne(terms: readonly string[]): Condition {
  return sql<boolean>`terms @@ ${terms.map(lexeme).join(" | ")}::tsquery`;
}

/** Quotes a term for tsvector and tsquery. */
export function lexeme(term: string): string {
  return `'${term.replace(/['\\]/g, "$&$&")}'`;
}

export function and(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
}

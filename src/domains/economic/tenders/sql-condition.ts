import { type RawBuilder, sql } from "kysely";

/** A condition on a row. */
export type Condition = RawBuilder<boolean>;

/** A text holds another, letter by letter. */
export function contains(text: RawBuilder<unknown>, part: string): Condition {
  return sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, "\\$&")}%`}`;
}

/** A row has one of these terms. */
export function hasOne(terms: readonly string[]): Condition {
  return sql<boolean>`terms @@ ${terms.map(lexeme).join(" | ")}::tsquery`;
}

/** A term as tsvector and tsquery read it. */
export function lexeme(term: string): string {
  return `'${term.replace(/['\\]/g, "$&$&")}'`;
}

export function and(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
}

import { type RawBuilder, sql } from "kysely";
import type { Condition } from "./sql-condition.ts";
import type { TenderConditions } from "./tender-conditions.ts";

/** An order of the feed: by rank if there is one, then by a column and the id. All keys are ascending. */
export interface TenderOrder {
  readonly column: "newest_key" | "closing_key" | "value_key" | "relevance_key";
  readonly type: RawBuilder<unknown>;
  /** The rows that match are first. It is undefined if rows have no rank. */
  readonly first?: Condition;
}

const columns: Readonly<Record<string, TenderOrder["column"]>> = {
  closing_soon: "closing_key",
  estimated_value: "value_key",
  relevance: "relevance_key",
};

/** The default is newest first. Relevant notices are those whose title contains all search terms. */
export function tenderOrder(name: string, { inTitle }: TenderConditions, isSearch: boolean): TenderOrder {
  const type = sql`int8`;
  if (name === "relevance" && isSearch) return { column: "newest_key", type, first: inTitle };
  const column = columns[name] ?? "newest_key";
  return { column, type: column === "value_key" ? sql`numeric` : type };
}

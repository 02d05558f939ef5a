import { type RawBuilder, sql } from "kysely";
import { and, type Condition } from "./condition.ts";
import type { TenderConditions } from "./tender-conditions.ts";

/** An order of the feed: what ascends before the id does. */
export interface TenderOrder {
  readonly keys: readonly OrderKey[];
  /** What the keys are made of. */
  readonly columns: readonly string[];
  /** What follows one another, each walked by the last key; of several the first key is the place. */
  readonly parts: readonly Condition[];
}

interface OrderKey {
  readonly value: RawBuilder<unknown>;
  readonly type: RawBuilder<unknown>;
}

const int8 = sql`int8`;
const columns = {
  newest: "newest_key",
  closing_soon: "closing_key",
  estimated_value: "value_key",
  relevance: "relevance_key",
};
const byColumn = (column: string): OrderKey => ({
  value: sql.ref(column),
  type: column === columns.estimated_value ? sql`numeric` : int8,
});

/** The order of a name, newest first without one. The relevant notices of a search are those with all of it in the title. */
export function tenderOrder(name: string, conditions: TenderConditions, isSearch: boolean): TenderOrder {
  const anywhere = and(conditions.anywhere);
  if (name !== "relevance" || !isSearch) {
    const column = columns[(name || "newest") as keyof typeof columns];
    return { keys: [byColumn(column)], columns: [column], parts: [anywhere] };
  }
  const { inTitle } = conditions;
  return {
    keys: [{ value: sql`case when ${inTitle} then 0 else 1 end`, type: int8 }, byColumn(columns.newest)],
    columns: ["keys", columns.newest],
    // What is in the title is in the keys anyway.
    parts: [inTitle, and([...conditions.anywhere, sql`not (${inTitle})`])],
  };
}

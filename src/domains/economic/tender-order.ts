import { type RawBuilder, sql } from "kysely";
import type { Condition } from "./condition.ts";

/** An order of the feed: what ascends before the id does. */
export interface TenderOrder {
  readonly keys: readonly OrderKey[];
  /** What follows one another, each walked by the last key; of several the first key is the place. */
  readonly parts: readonly Condition[];
}

interface OrderKey {
  readonly value: RawBuilder<unknown>;
  readonly type: RawBuilder<unknown>;
}

const int8 = sql`int8`;
const key = (column: string, type = int8): OrderKey => ({ value: sql.ref(column), type });

const by = (column: OrderKey): TenderOrder => ({ keys: [column], parts: [sql`true`] });

const byColumn = {
  newest: by(key("newest_key")),
  closing_soon: by(key("closing_key")),
  estimated_value: by(key("value_key", sql`numeric`)),
  relevance: by(key("relevance_key")),
};

/** The order of a name, newest first without one. The relevant notices of a search are those with all of it in the title. */
export function tenderOrder(name: string, inTitle: Condition | undefined): TenderOrder {
  if (name !== "relevance" || !inTitle) return byColumn[(name || "newest") as keyof typeof byColumn];
  return {
    keys: [{ value: sql`case when ${inTitle} then 0 else 1 end`, type: int8 }, ...byColumn.newest.keys],
    parts: [inTitle, sql`not (${inTitle})`],
  };
}

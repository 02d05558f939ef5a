import { type RawBuilder, sql } from "kysely";
import type { Condition } from "./condition.ts";

/** An order of the feed: what ascends before the id does. */
export interface TenderOrder {
  readonly keys: readonly OrderKey[];
  /** Parts of the feed that follow one another, each walked by the last key; one that holds everything where absent. */
  readonly parts?: readonly OrderPart[];
}

interface OrderKey {
  readonly value: RawBuilder<unknown>;
  readonly type: RawBuilder<unknown>;
}

interface OrderPart {
  /** The first key's value in it. */
  readonly rank: number;
  readonly condition: Condition;
}

const int8 = sql`int8`;
const key = (column: string, type = int8): OrderKey => ({ value: sql.ref(column), type });

const byColumn = {
  newest: { keys: [key("newest_key")] },
  closing_soon: { keys: [key("closing_key")] },
  estimated_value: { keys: [key("value_key", sql`numeric`)] },
  relevance: { keys: [key("relevance_key")] },
} satisfies Record<string, TenderOrder>;

/** The order of a name, newest first without one. The relevant notices of a search are those with all of it in the title. */
export function tenderOrder(name: string, inTitle: Condition | undefined): TenderOrder {
  if (name !== "relevance" || !inTitle) return byColumn[(name || "newest") as keyof typeof byColumn];
  return {
    keys: [{ value: sql`case when ${inTitle} then 0 else 1 end`, type: int8 }, ...byColumn.newest.keys],
    parts: [
      { rank: 0, condition: inTitle },
      { rank: 1, condition: sql`not (${inTitle})` },
    ],
  };
}

import type { Kysely } from "kysely";
import type { Plans } from "../../../access/plans.ts";
import type { Send } from "../../../jobs/queue.ts";
import type { StoreTables } from "../../../store/tables.ts";
import type { Watched } from "../rules/rule-trigger.ts";

/** What rules are evaluated with. */
export interface EvaluationParts {
  readonly database: Kysely<StoreTables>;
  readonly clock: () => Date;
  readonly send: Send;
  readonly plans: Plans;
  readonly watched: Watched;
  /** Demo accounts are nobody where their keys open nothing. */
  readonly admits: (account: string) => boolean;
  /** Live mode reports nothing invented. */
  readonly data: "live" | "sample";
  readonly warn: (message: string) => void;
}

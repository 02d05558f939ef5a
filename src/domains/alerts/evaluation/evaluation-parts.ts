import type { Plans } from "../../../access/plans.ts";
import type { Send } from "../../../jobs/queue.ts";
import type { Store } from "../../../store/tables.ts";
import type { Watched } from "../rules/rule-trigger.ts";

export interface EvaluationParts {
  readonly database: Store;
  readonly clock: () => Date;
  readonly send: Send;
  readonly plans: Plans;
  readonly watched: Watched;
  /** Returns whether events of the account are sent. False for demo accounts while demo keys are disabled. */
  readonly admits: (account: string) => boolean;
  readonly data: "live" | "sample";
  readonly warn: (message: string) => void;
}

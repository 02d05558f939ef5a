import type { Encryption } from "../access/encryption.ts";
import type { Resolve } from "../egress/resolver.ts";
import type { Send } from "../jobs/queue.ts";
import type { Store } from "../store/tables.ts";
import type { TargetRules } from "./target-check.ts";

export interface RegistrationParts {
  readonly database: Store;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Buffer;
  readonly encryption: (purpose: string) => Encryption;
  /** Connects to the job queue. Call it before a transaction, because an embedded store has no other connection. */
  readonly sender: () => Promise<Send>;
  readonly resolve: Resolve;
  readonly webhooks: TargetRules;
}

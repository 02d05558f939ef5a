import type { Kysely } from "kysely";
import type { Encryption } from "../access/encryption.ts";
import type { Resolve } from "../egress/resolver.ts";
import type { Send } from "../jobs/queue.ts";
import type { StoreTables } from "../store/tables.ts";
import type { TargetRules } from "./target-check.ts";

/** What a service needs that takes down where to deliver. */
export interface RegistrationParts {
  readonly database: Kysely<StoreTables>;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Buffer;
  readonly encryption: (purpose: string) => Encryption;
  /** Opens the way to the jobs, before a transaction that sends one. */
  readonly sender: () => Promise<Send>;
  readonly resolve: Resolve;
  readonly webhooks: TargetRules;
}

import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { AlertsService } from "../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { Encryption } from "../../access/encryption.ts";
import type { TargetRules } from "../../delivery/target-check.ts";
import type { Resolve } from "../../egress/resolver.ts";
import type { Send } from "../../jobs/queue.ts";
import type { StoreTables } from "../../store/tables.ts";
import { endpointMethods } from "./endpoints/endpoint-methods.ts";
import { ruleMethods } from "./rules/rule-methods.ts";
import type { Watched } from "./rules/rule-trigger.ts";

export interface AlertsParts {
  readonly database: Kysely<StoreTables>;
  readonly clock: () => Date;
  readonly randomBytes: (size: number) => Buffer;
  readonly encryption: (purpose: string) => Encryption;
  /** Opens the way to the jobs, before a transaction that sends one. */
  readonly sender: () => Promise<Send>;
  readonly resolve: Resolve;
  readonly webhooks: TargetRules;
  /** Whether the operator names a mail server. */
  readonly sendsMail: boolean;
  readonly watched: Watched;
  readonly data: "live" | "sample";
}

/** Rules, and the endpoints that they report to. */
export function alerts(parts: AlertsParts): ServiceImpl<typeof AlertsService> {
  return { ...ruleMethods(parts), ...endpointMethods(parts) };
}

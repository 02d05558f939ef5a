import type { ServiceImpl } from "@connectrpc/connect";
import type { AlertsService } from "../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { RegistrationParts } from "../../delivery/registration-parts.ts";
import { endpointMethods } from "./endpoints/endpoint-methods.ts";
import { ruleMethods } from "./rules/rule-methods.ts";
import type { Watched } from "./rules/rule-trigger.ts";

export interface AlertsParts extends RegistrationParts {
  /** Whether the operator names a mail server. */
  readonly sendsMail: boolean;
  readonly watched: Watched;
  readonly data: "live" | "sample";
}

/** Rules, and the endpoints that they report to. */
export function alerts(parts: AlertsParts): ServiceImpl<typeof AlertsService> {
  return { ...ruleMethods(parts), ...endpointMethods(parts) };
}

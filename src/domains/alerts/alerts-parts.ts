import type { RegistrationParts } from "../../delivery/registration-parts.ts";
import type { Watched } from "./rules/rule-trigger.ts";

export interface AlertsParts extends RegistrationParts {
  /** Whether the operator has configured a mail server. */
  readonly sendsMail: boolean;
  readonly watched: Watched;
  readonly data: "live" | "sample";
}

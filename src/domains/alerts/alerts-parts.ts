import type { RegistrationParts } from "../../delivery/registration-parts.ts";
import type { Watched } from "./rules/rule-trigger.ts";

export interface AlertsParts extends RegistrationParts {
  readonly sendsMail: boolean;
  readonly watched: Watched;
  readonly data: "live" | "sample";
}

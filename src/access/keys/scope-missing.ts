import { NotEntitled } from "../../errors.ts";

/** The plan suffices; the key was made without a right that it takes. */
export class ScopeMissing extends NotEntitled {
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    super(`Missing required scope: ${scopes.join(", ")}`);
    this.scopes = scopes;
  }
}

import { NotEntitled } from "../../errors.ts";

/** The plan suffices, but the key lacks a scope. */
export class ScopeMissing extends NotEntitled {
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    super(`Missing required scope: ${scopes.join(", ")}`);
    this.scopes = scopes;
  }
}

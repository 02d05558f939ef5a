import { ServiceError } from "../errors.ts";

/** A projection failed. */
export class ProjectionFailed extends Error {
  override readonly name = "ProjectionFailed";

  constructor(code: ProjectionFault, detail: string) {
    super(`${code}: ${detail}`);
  }
}

/** An expression is invalid: it does not parse, or a function receives wrong arguments. */
export class InvalidExpression extends ProjectionFailed {
  constructor(detail: string) {
    super("invalid_expression", detail);
  }
}

/** Kinds of failed projections, for callers. */
export type ProjectionFault =
  | "expression_too_long"
  | "invalid_expression"
  | "projection_too_expensive"
  | "projection_too_large";

/** A rejected projection, with the top-level keys of its input. */
export class ProjectionRefused extends ServiceError {
  readonly originalKeys: readonly string[];

  constructor(message: string, originalKeys: readonly string[]) {
    super(message);
    this.originalKeys = originalKeys;
  }

  override get body() {
    return { _jmespath_error: this.message, original_keys: this.originalKeys };
  }
}

import { ServiceError } from "../errors.ts";

/** Thrown if an expression is invalid or cannot be evaluated. */
export class ProjectionFailed extends Error {
  override readonly name = "ProjectionFailed";

  constructor(code: ProjectionFault, detail: string) {
    super(`${code}: ${detail}`);
  }
}

/** Thrown for an invalid expression: it does not parse, or a function gets wrong arguments. */
export class InvalidExpression extends ProjectionFailed {
  constructor(detail: string) {
    super("invalid_expression", detail);
  }
}

/** Reasons why an expression fails, as clients get them. */
export type ProjectionFault =
  | "expression_too_long"
  | "invalid_expression"
  | "projection_too_expensive"
  | "projection_too_large";

/** Error response for a failed expression. It includes the top-level keys of the input as a hint. */
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

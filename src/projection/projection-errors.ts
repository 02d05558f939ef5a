/** Why a projection cannot be made. */
export class ProjectionFailed extends Error {
  override readonly name = "ProjectionFailed";

  constructor(code: ProjectionFault, detail: string) {
    super(`${code}: ${detail}`);
  }
}

/** An expression that does not parse, or that asks a function for what it cannot do. */
export class InvalidExpression extends ProjectionFailed {
  constructor(detail: string) {
    super("invalid_expression", detail);
  }
}

/** What callers can tell failed projections apart by. */
export type ProjectionFault =
  | "expression_too_long"
  | "invalid_expression"
  | "projection_too_expensive"
  | "projection_too_large";

/** A projection that cannot be made, and the keys of what it was to be made from. */
export class ProjectionRefused extends Error {
  override readonly name = "ProjectionRefused";
  readonly originalKeys: readonly string[];

  constructor(message: string, originalKeys: readonly string[]) {
    super(message);
    this.originalKeys = originalKeys;
  }
}

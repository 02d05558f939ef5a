/** What went wrong, in words of the domain; http/errors.ts says how each travels. */

/** A request broke one or more rules. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ field, description }) => `${field}: ${description}`).join("; "));
    this.violations = violations;
  }
}

/** One broken rule and the parameter, body path or header it is about. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** The data cannot be read now: never loaded, or the store is out of reach. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 30;
  }
}

/** A thing that was asked for by name does not exist, or not for this caller. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** An upstream did not answer as it should: time-out, status, format, size. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** Seconds the upstream asked us to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { cause?: unknown; status?: number; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A setting is missing or contradicts another. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** No key, or one that is malformed, unknown, revoked or expired. */
export class NotAuthenticated extends Error {
  override readonly name = "NotAuthenticated";
}

/** The key is good; its subscription, tier or scope does not cover the operation. */
export class NotEntitled extends Error {
  override readonly name = "NotEntitled";
  readonly details: { readonly requiredTier?: number; readonly currentTier?: number; readonly planKey?: string };

  constructor(message: string, details: NotEntitled["details"] = {}) {
    super(message);
    this.details = details;
  }
}

/** A limit was met. */
export class QuotaExceeded extends Error {
  override readonly name = "QuotaExceeded";
  readonly allowance: Allowance;

  constructor(message: string, allowance: Allowance) {
    super(message);
    this.allowance = allowance;
  }
}

/** What a quota leaves to a caller. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  /** End of the window, Unix epoch milliseconds. */
  readonly resetAt: number;
}

/** Valid and invalid keys cannot be told apart now. */
export class KeysUnreadable extends Error {
  override readonly name = "KeysUnreadable";
}

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

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

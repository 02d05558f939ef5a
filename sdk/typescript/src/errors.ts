/** What every failure tells. */
export interface ErrorContext {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** `X-Request-Id` of the call: what the service's log knows it by. */
  readonly requestId: string;
  /** Seconds to wait before asking again, where the service said so. */
  readonly retryAfterSeconds?: number | undefined;
  /** `x-should-retry`: whether asking again may help, where the service said so. */
  readonly shouldRetry?: boolean | undefined;
  /** The answer's body, decoded where it is JSON; over Connect, the details of the error. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** Any failure of a call; the classes below tell them apart. */
export class IdsError extends Error {
  override readonly name: string = "IdsError";
  readonly status: number;
  readonly requestId: string;
  readonly retryAfterSeconds: number | undefined;
  readonly shouldRetry: boolean | undefined;
  readonly body: unknown;

  constructor(message: string, { status, requestId, retryAfterSeconds, shouldRetry, body, cause }: ErrorContext) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.shouldRetry = shouldRetry;
    this.body = body;
  }
}

/** One rule that a request broke. */
export interface Violation {
  /** Query parameter, body path or header. */
  readonly field: string;
  readonly description: string;
}

/** 400: the request broke one or more rules. */
export class ValidationError extends IdsError {
  override readonly name = "ValidationError";
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[], context: ErrorContext) {
    super(violations.map(({ field, description }) => `${field}: ${description}`).join("; "), context);
    this.violations = violations;
  }
}

/** 400: the `jmespath` expression, or what it makes, is not possible. */
export class ProjectionError extends IdsError {
  override readonly name = "ProjectionError";
  /** Top-level keys of the answer that was to be projected. */
  readonly originalKeys: readonly string[];

  constructor(message: string, originalKeys: readonly string[], context: ErrorContext) {
    super(message, context);
    this.originalKeys = originalKeys;
  }
}

/** 401: no key, or one that is malformed, unknown, revoked or expired. */
export class UnauthorizedError extends IdsError {
  override readonly name = "UnauthorizedError";
}

/** Why a key is not let in. */
export interface Refusal {
  /** `subscription_lapsed` when the billing provider confirmed the end. */
  readonly code?: string | undefined;
  readonly requiredTier?: number | undefined;
  readonly currentTier?: number | undefined;
  readonly planKey?: string | undefined;
  /** Where a plan that covers the operation is to be had. */
  readonly upgradeUrl?: string | undefined;
}

/** 403: the key is good; its subscription, tier or scope is not. Asking again does not help. */
export class ForbiddenError extends IdsError implements Refusal {
  override readonly name = "ForbiddenError";
  readonly code: string | undefined;
  readonly requiredTier: number | undefined;
  readonly currentTier: number | undefined;
  readonly planKey: string | undefined;
  readonly upgradeUrl: string | undefined;

  constructor(message: string, refusal: Refusal, context: ErrorContext) {
    super(message, context);
    this.code = refusal.code;
    this.requiredTier = refusal.requiredTier;
    this.currentTier = refusal.currentTier;
    this.planKey = refusal.planKey;
    this.upgradeUrl = refusal.upgradeUrl;
  }
}

/** The limit that was met, as far as the service tells. */
export interface Limits {
  /** Requests allowed in the window. */
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  /** `per_minute` or `daily`, when it is a limit of the plan. */
  readonly limitType?: string | undefined;
  /** `daily-allowance` when it is what an account without a paid subscription may ask one operation in a UTC day. */
  readonly reason?: string | undefined;
  readonly plan?: string | undefined;
  readonly upgradeUrl?: string | undefined;
}

/** 429: a limit was met. */
export class RateLimitError extends IdsError {
  override readonly name = "RateLimitError";
  readonly limits: Limits;
  /** End of the window. */
  readonly resetAt: Date | undefined;

  constructor(message: string, limits: Limits, resetAt: Date | undefined, context: ErrorContext) {
    super(message, context);
    this.limits = limits;
    this.resetAt = resetAt;
  }
}

/** 503: paid access cannot be confirmed at this moment. */
export class BillingVerificationError extends IdsError {
  override readonly name = "BillingVerificationError";
  /** `renewal_verification_pending`, `renewal_verification_failed` or `entitlement_verification_unavailable`. */
  readonly code: string;
  readonly requiredTier: number | undefined;

  constructor(message: string, code: string, requiredTier: number | undefined, context: ErrorContext) {
    super(message, context);
    this.code = code;
    this.requiredTier = requiredTier;
  }
}

/** Any other failure before the operation ran: origin, routing, idempotency, infrastructure. */
export class GatewayError extends IdsError {
  override readonly name = "GatewayError";
  /** `idempotency_conflict`, `idempotency_answer_lost` (it may have taken effect) or `idempotency_key_reused`. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, context: ErrorContext) {
    super(message, context);
    this.code = code;
  }
}

/** The operation itself failed. */
export class ServiceError extends IdsError {
  override readonly name = "ServiceError";
}

/** No answer came, or it broke off. */
export class NetworkError extends IdsError {
  override readonly name = "NetworkError";
}

/** No whole answer came in time. */
export class TimeoutError extends IdsError {
  override readonly name = "TimeoutError";
}

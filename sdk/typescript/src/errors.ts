/** Facts of every failure. */
export interface ErrorContext {
  /** HTTP status, 0 if there was no response. */
  readonly status: number;
  /** `X-Request-Id` of the call, which the service's log contains. */
  readonly requestId: string;
  /** Seconds to wait before a retry, if the service sent them. */
  readonly retryAfterSeconds?: number | undefined;
  /** `X-Should-Retry`: whether a retry may help, if the service sent it. */
  readonly shouldRetry?: boolean | undefined;
  /** Body of the response, decoded if it is JSON. Over Connect, the details of the error. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** Any failure of a call. The classes below are its kinds. */
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

/** 400: the `jmespath` expression is invalid, or its result cannot be returned. */
export class ProjectionError extends IdsError {
  override readonly name = "ProjectionError";
  /** Top-level keys of the response before the projection. */
  readonly originalKeys: readonly string[];

  constructor(message: string, originalKeys: readonly string[], context: ErrorContext) {
    super(message, context);
    this.originalKeys = originalKeys;
  }
}

/** 401: the key is missing, malformed, unknown, revoked or expired. */
export class UnauthorizedError extends IdsError {
  override readonly name = "UnauthorizedError";
}

/** Reasons why a key is rejected. */
export interface Refusal {
  /** `subscription_lapsed` if the billing provider confirmed the end. */
  readonly code?: string | undefined;
  readonly requiredTier?: number | undefined;
  readonly currentTier?: number | undefined;
  readonly planKey?: string | undefined;
  /** URL where you can get a plan that covers the operation. */
  readonly upgradeUrl?: string | undefined;
}

/** 403: the key is valid, but its subscription, tier or scope is not sufficient. A retry does not help. */
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

/** The limit that was reached, as far as the service reports it. */
export interface Limits {
  /** Requests allowed in the window. */
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  /** `per_minute` or `daily` if it is a limit of the plan. */
  readonly limitType?: string | undefined;
  /** `daily-allowance` if it is the daily limit of one operation for an account without a paid subscription. */
  readonly reason?: string | undefined;
  readonly plan?: string | undefined;
  readonly upgradeUrl?: string | undefined;
}

/** 429: a limit was reached. */
export class RateLimitError extends IdsError {
  override readonly name = "RateLimitError";
  readonly limits: Limits;
  /** End of the window of the limit. */
  readonly resetAt: Date | undefined;

  constructor(message: string, limits: Limits, resetAt: Date | undefined, context: ErrorContext) {
    super(message, context);
    this.limits = limits;
    this.resetAt = resetAt;
  }
}

/** 503: paid access cannot be confirmed now. */
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

/** There was no response, or it was interrupted. */
export class NetworkError extends IdsError {
  override readonly name = "NetworkError";
}

/** There was no complete response before the timeout. */
export class TimeoutError extends IdsError {
  override readonly name = "TimeoutError";
}

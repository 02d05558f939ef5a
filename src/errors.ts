import { type Allowance, type PlanLimit, rejectionHeaders } from "./allowance.ts";
import { errorCode, errorKinds } from "./error-kinds.ts";

/** An error for clients. The name of its class selects its entry in `errorKinds`: status, code, and remedy. */
export class ServiceError extends Error {
  /** Seconds after which the client may try again. */
  readonly retryAfterSeconds?: number | undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  get status(): number {
    return errorKinds[errorCode(this)].status;
  }

  get body(): Readonly<Record<string, unknown>> {
    return bodyOf(this);
  }

  /** Whether the service is at fault. The cause of the error is then logged. */
  get isFault(): boolean {
    return errorKinds[errorCode(this)].isFault ?? false;
  }

  /** Returns additional headers of the error response, as an array of alternating names and values. */
  headersAt(_now: number): readonly string[] {
    const { headers = [], retryAfterSeconds = this.retryAfterSeconds } = errorKinds[errorCode(this)];
    return retryAfterSeconds === undefined ? headers : [...headers, "Retry-After", `${retryAfterSeconds}`];
  }
}

/** Returns the JSON body of the error response. */
export function bodyOf(error: unknown): Readonly<Record<string, unknown>> {
  const { member = "message", text = error instanceof Error ? error.message : "", name } = errorKinds[errorCode(error)];
  return name === undefined ? { [member]: text } : { error: name, message: text };
}

/** The request violates one or more rules. `violations` contains the first 50. */
export class InvalidRequest extends ServiceError {
  readonly violations: readonly Violation[];

  /** Keeps the first 50 violations, because more would not help the client. */
  constructor(violations: readonly Violation[]) {
    const first = violations.slice(0, 50);
    super(first.map(({ field, description }) => `${field}: ${description}`).join("; "));
    this.violations = first;
  }

  override get body() {
    return { violations: this.violations };
  }
}

/** Returns the error of a request that violates one rule. */
export function invalidField(field: string, description: string): InvalidRequest {
  return new InvalidRequest([{ field, description }]);
}

/** A violated rule, and the parameter, path, header, or member of the body that violates it. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** The data cannot be read now: it was never loaded, or the store is unreachable. */
export class Unavailable extends ServiceError {
  override readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 30;
  }
}

/** The service gets more requests than it can process in time, although no part of it has failed. */
export class Overloaded extends Unavailable {
  constructor(message: string, retryAfterSeconds: number, options: { cause?: unknown } = {}) {
    super(message, { ...options, retryAfterSeconds: Math.min(Math.max(Math.ceil(retryAfterSeconds), 1), 30) });
  }
}

/**
 * There is no data that may be returned: it was never loaded, is too old, or lacks a main part. The error is not logged
 * for each request, because the health status reports it.
 */
export class NothingToServe extends Unavailable {}

/** The object does not exist, or the caller may not see it. */
export class NotFound extends ServiceError {}

/** Changes after the requested position are no longer retained, so the client would miss some. */
export class ChangesGone extends NotFound {}

/** The data changed while the client read it page by page, so the next page would repeat or miss rows. */
export class DataChanged extends ServiceError {}

/** A setting is missing or contradicts another. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** The file is not a backup, or this program cannot restore it. */
export class UnusableBackup extends Error {
  override readonly name = "UnusableBackup";
}

/** The key is missing, malformed, unknown, revoked or expired. */
export class NotAuthenticated extends ServiceError {
  /** Realm of the `WWW-Authenticate` header; set if the operation also accepts a key as a bearer token. */
  readonly realm: string | undefined;

  constructor(message: string, { realm, ...options }: ErrorOptions & { readonly realm?: string } = {}) {
    super(message, options);
    this.realm = realm;
  }

  override headersAt() {
    const key = 'ApiKey realm="ids"';
    return ["WWW-Authenticate", this.realm === undefined ? key : `Bearer realm="${this.realm}", ${key}`];
  }
}

/** The key is valid, but the plan or the scopes do not include the operation. */
export class NotEntitled extends ServiceError {
  readonly details: {
    /** Set if the billing provider confirmed that the subscription ended. */
    readonly code?: "subscription_lapsed";
    readonly requiredTier?: number;
    readonly currentTier?: number;
    readonly planKey?: string;
  };

  constructor(message: string, details: NotEntitled["details"] = {}) {
    super(message);
    this.details = details;
  }

  override get body() {
    return { error: this.message, ...this.details };
  }

  override headersAt() {
    return billing(this.details.code);
  }
}

/** All subscriptions of the account have ended. */
export class SubscriptionEnded extends NotEntitled {
  constructor() {
    super("API access requires an active subscription");
  }
}

/** The tier of the plan is too low. The error contains the URL for buying a higher plan. */
export class UpgradeRequired extends ServiceError {
  readonly upgradeUrl: string;
  readonly details: { readonly requiredTier: number; readonly currentTier: number; readonly planKey: string };

  constructor(upgradeUrl: string, details: UpgradeRequired["details"]) {
    super("Upgrade required");
    this.upgradeUrl = upgradeUrl;
    this.details = details;
  }

  override get body() {
    const data = { reason: "upgrade-required", upgradeUrl: this.upgradeUrl, ...this.details };
    return { error: { message: this.message, data } };
  }
}

/** The operation exists, but this installation has disabled it. */
export class SwitchedOff extends ServiceError {}

const unconfirmed = {
  renewal_verification_pending: "Renewal verification pending",
  renewal_verification_failed: "Renewal verification failed",
  entitlement_verification_unavailable: "Unable to verify API access",
} as const;

/** The service cannot determine now whether the account has access. */
export class AccessUnconfirmed extends ServiceError {
  readonly code: keyof typeof unconfirmed;
  override readonly retryAfterSeconds: number;
  /** Tier that the operation requires; undefined if any plan is enough. */
  readonly requiredTier: number | undefined;

  constructor(
    code: AccessUnconfirmed["code"],
    options: { cause?: unknown; retryAfterSeconds: number; requiredTier?: number },
  ) {
    super(unconfirmed[code], { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = Math.min(Math.max(Math.ceil(options.retryAfterSeconds), 1), 60);
    this.requiredTier = options.requiredTier;
  }

  override get body() {
    const { message: error, code, requiredTier } = this;
    return { error, code, ...(requiredTier !== undefined && { requiredTier }) };
  }

  /** A cause means that the store is unreachable, which is logged. A renewal that cannot be checked is not logged. */
  override get isFault() {
    return this.cause !== undefined;
  }

  override headersAt(now: number) {
    return [...billing(this.code), ...super.headersAt(now)];
  }
}

function billing(code: string | undefined): string[] {
  return code === undefined ? [] : ["X-Billing-Verification", code];
}

/** The client disconnected before its request was complete or before the response was sent. */
export class RequestAborted extends ServiceError {}

/** The body of the request did not arrive within the time limit. */
export class RequestTooSlow extends ServiceError {}

/** The caller has exceeded a limit. */
export class QuotaExceeded extends ServiceError {
  readonly allowance: Allowance;
  /** The plan's limit; undefined for a limit that does not depend on the plan. */
  readonly planLimit: PlanLimit | undefined;

  constructor(message: string, allowance: Allowance, planLimit?: PlanLimit) {
    super(message);
    this.allowance = allowance;
    this.planLimit = planLimit;
  }

  override get body() {
    const { message: error, allowance, planLimit } = this;
    if (!planLimit) return { error };
    const { plan, limitType: limit_type, reason, upgradeUrl: upgrade_url } = planLimit;
    const reset = new Date(allowance.resetAt).toISOString();
    const more = { ...(upgrade_url && { upgrade_url }), ...(reason && { reason }) };
    return { error, plan, limit: allowance.limit, limit_type, reset, ...more };
  }

  override headersAt(now: number) {
    return rejectionHeaders(this.allowance, now);
  }
}

/** The account has the maximum number of concurrent requests. A retry may succeed soon. */
export class Congested extends ServiceError {}

/** A job could not be added to the job queue. */
export class NotEnqueued extends ServiceError {}

/** The body of a request is not a JSON object. */
export class InvalidBody extends ServiceError {
  constructor() {
    super("Invalid request body");
  }
}

/** The body of a request or response is larger than allowed. */
export class BodyTooLarge extends ServiceError {
  readonly maxBytes: number;

  constructor(message: string, maxBytes: number) {
    super(message);
    this.maxBytes = maxBytes;
  }

  override get body() {
    return { error: this.message, maxBytes: this.maxBytes };
  }
}

/** The request contradicts stored data: for example, an ID is already in use. */
export class Conflict extends ServiceError {}

/** A call with the same idempotency key is still running. */
export class CallInFlight extends ServiceError {}

/** No configured secret can decrypt the stored value. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

/** The first call with this idempotency key ended without a stored response. It is not executed again. */
export class CallAnswerLost extends ServiceError {}

/** The idempotency key was used for a different request. */
export class IdempotencyKeyReused extends ServiceError {}

/** A mandatory limit cannot be counted, because the store is unavailable. */
export class QuotasUnreadable extends ServiceError {}

/** Keys cannot be checked, because the store is unavailable. */
export class KeysUnreadable extends ServiceError {}

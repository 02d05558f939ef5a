import { type Allowance, rejectionHeaders } from "./allowance.ts";
import { errorCode, errorKinds } from "./error-kinds.ts";

/** An error that callers receive. The name of its class determines its kind: status, code, cause, and remedy. */
export class ServiceError extends Error {
  /** Seconds after which the caller may try again. */
  readonly retryAfterSeconds?: number;

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

  /** Whether the failure is ours, so that its cause is logged. */
  get isFault(): boolean {
    return errorKinds[errorCode(this)].isFault ?? false;
  }

  /** Returns the headers that this error adds to a response, as flat pairs. */
  headersAt(_now: number): readonly string[] {
    const { headers = [], retryAfterSeconds = this.retryAfterSeconds } = errorKinds[errorCode(this)];
    return retryAfterSeconds === undefined ? headers : [...headers, "Retry-After", `${retryAfterSeconds}`];
  }
}

/** Returns the JSON body of an error with one message. */
export function bodyOf(error: unknown): Readonly<Record<string, unknown>> {
  const { member = "message", text = error instanceof Error ? error.message : "", name } = errorKinds[errorCode(error)];
  return name === undefined ? { [member]: text } : { error: name, message: text };
}

/** A request broke one or more rules; `violations` lists the first 50. */
export class InvalidRequest extends ServiceError {
  readonly violations: readonly Violation[];

  /** A larger list would not help the client and would only enlarge the response. */
  constructor(violations: readonly Violation[]) {
    const first = violations.slice(0, 50);
    super(first.map(({ field, description }) => `${field}: ${description}`).join("; "));
    this.violations = first;
  }

  override get body() {
    return { violations: this.violations };
  }
}

/** One broken rule, and the parameter, body path or header that broke it. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** The data cannot be read now: it was never loaded, or the store is unreachable. */
export class Unavailable extends ServiceError {
  override readonly retryAfterSeconds: number;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 30;
  }
}

/** The server receives more requests than it can serve in time; nothing is broken. */
export class Overloaded extends Unavailable {
  constructor(message: string, retryAfterSeconds: number, options: { cause?: unknown } = {}) {
    super(message, { ...options, retryAfterSeconds: Math.min(Math.max(Math.ceil(retryAfterSeconds), 1), 30) });
  }
}

/**
 * No data may be served: it was never loaded, is too old, or lacks a main part. Health reports this state, so it is not
 * logged as an error of the request.
 */
export class NothingToServe extends Unavailable {}

/** The named object does not exist, or this caller may not see it. */
export class NotFound extends ServiceError {}

/** The changes after the requested position are no longer retained. */
export class ChangesGone extends NotFound {}

/** A setting is missing or contradicts another. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** A file that is not a backup of this program, or that this program cannot restore. */
export class UnusableBackup extends Error {
  override readonly name = "UnusableBackup";
}

/** The key is missing, malformed, unknown, revoked or expired. */
export class NotAuthenticated extends ServiceError {
  /** The protected area, set if the key may also be sent as a bearer token. */
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

/** The key is valid, but its subscription, tier or scope does not cover the operation. */
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

/** The account has no running subscription any more. */
export class SubscriptionEnded extends NotEntitled {
  constructor() {
    super("API access requires an active subscription");
  }
}

/** The plan's tier is too low. The error of this operation says where to get a higher plan. */
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
  /** Set if a tier was required. */
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

  /** An account reads the details of its renewal itself. Only an unreachable store is a fault of each request. */
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

/** The caller disconnected before its request was complete or before the response. */
export class RequestAborted extends ServiceError {}

/** The body of a request did not arrive in time. */
export class RequestTooSlow extends ServiceError {}

/** The caller exceeded a limit. */
export class QuotaExceeded extends ServiceError {
  readonly allowance: Allowance;
  /** Undefined if the limit does not belong to the account's plan. */
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

/** The limit and the plan that it belongs to, and where to get a higher plan. */
export interface PlanLimit {
  readonly plan: string;
  readonly limitType: "per_minute" | "daily" | "exported_rows";
  /** Set if the limit is that of one operation for accounts without a paid plan. */
  readonly reason?: "daily-allowance";
  readonly upgradeUrl: string | undefined;
}

/** The maximum number of requests is waiting; a retry a little later may succeed. */
export class Congested extends ServiceError {}

/** A job could not be added to the queue. */
export class NotEnqueued extends ServiceError {}

/** The body of a request is not a JSON object. */
export class InvalidBody extends ServiceError {
  constructor() {
    super("Invalid request body");
  }
}

/** The body of a request, or of a response, exceeds its maximum length. */
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

/** The request contradicts the current state: for example, an ID is in use, or the maximum number of keys exists. */
export class Conflict extends ServiceError {}

/** A call with the same idempotency key is still running. */
export class CallInFlight extends ServiceError {}

/** The stored value was encrypted with a secret that is not configured. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

/** The first call with this idempotency key ended, but its response is unknown. The call is never repeated. */
export class CallAnswerLost extends ServiceError {}

/** The idempotency key was used for a different request. */
export class IdempotencyKeyReused extends ServiceError {}

/** A mandatory limit cannot be checked now. */
export class QuotasUnreadable extends ServiceError {}

/** The service cannot distinguish valid from invalid keys now. */
export class KeysUnreadable extends ServiceError {}

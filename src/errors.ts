/** Errors in terms of the domain. http/errors.ts maps each to a status and a body. */

/** A request broke one or more rules; `violations` lists the first 50. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  readonly violations: readonly Violation[];

  /** A larger list would not help the client and would only enlarge the response. */
  constructor(violations: readonly Violation[]) {
    const first = violations.slice(0, 50);
    super(first.map(({ field, description }) => `${field}: ${description}`).join("; "));
    this.violations = first;
  }
}

export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** The data cannot be read now: it was never loaded, or the store is unreachable. */
export class Unavailable extends Error {
  override name = "Unavailable";
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 30;
  }
}

/** The server receives more requests than it can serve in time; nothing is broken. */
export class Overloaded extends Unavailable {
  constructor(message: string, retryAfterSeconds: number, options: { cause?: unknown } = {}) {
    const { stackTraceLimit } = Error;
    // No reader needs the stack trace. It is an eighth of the cost of this error, and thousands may occur per second.
    Error.stackTraceLimit = 0;
    super(message, { ...options, retryAfterSeconds: Math.min(Math.max(Math.ceil(retryAfterSeconds), 1), 30) });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "Overloaded";
  }
}

/** Health reports missing and old data, so it is not logged as an error of the request. */
export class NothingToServe extends Unavailable {}

/** The named object does not exist, or this caller may not see it. */
export class NotFound extends Error {
  override readonly name: string = "NotFound";
}

/** The changes after the requested position are no longer retained. */
export class ChangesGone extends NotFound {}

/** An upstream response failed: timeout, status, format or size. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Seconds that the upstream asks clients to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The reason, if the status does not show it. */
  readonly kind: "unreachable" | "refused" | "over quota" | undefined;
  /** True if no request was sent because the upstream is spared. */
  readonly unsent: boolean;

  constructor(
    message: string,
    options: {
      cause?: unknown;
      status?: number;
      retryAfterSeconds?: number;
      kind?: "unreachable" | "refused" | "over quota";
      unsent?: true;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = options.kind;
    this.unsent = options.unsent ?? false;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** A file that is not a backup of this program, or that this program cannot restore. */
export class UnusableBackup extends Error {
  override readonly name = "UnusableBackup";
}

/** The key is missing, malformed, unknown, revoked or expired. */
export class NotAuthenticated extends Error {
  override readonly name = "NotAuthenticated";
  /** The protected area, set if the key may also be sent as a bearer token. */
  readonly realm: string | undefined;

  constructor(message: string, { realm, ...options }: ErrorOptions & { readonly realm?: string } = {}) {
    super(message, options);
    this.realm = realm;
  }
}

/** The key is valid, but its subscription, tier or scope does not cover the operation. */
export class NotEntitled extends Error {
  override readonly name = "NotEntitled";
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
}

/** The account has no running subscription any more. */
export class SubscriptionEnded extends NotEntitled {
  constructor() {
    super("API access requires an active subscription");
  }
}

/** The plan's tier is too low. The error of this operation says where to get a higher plan. */
export class UpgradeRequired extends Error {
  override readonly name = "UpgradeRequired";
  readonly upgradeUrl: string;
  readonly details: { readonly requiredTier: number; readonly currentTier: number; readonly planKey: string };

  constructor(upgradeUrl: string, details: UpgradeRequired["details"]) {
    super("Upgrade required");
    this.upgradeUrl = upgradeUrl;
    this.details = details;
  }
}

/** The operation exists, but this installation has disabled it. */
export class SwitchedOff extends Error {
  override readonly name = "SwitchedOff";
}

const unconfirmed = {
  renewal_verification_pending: "Renewal verification pending",
  renewal_verification_failed: "Renewal verification failed",
  entitlement_verification_unavailable: "Unable to verify API access",
} as const;

/** The service cannot determine now whether the account has access. */
export class AccessUnconfirmed extends Error {
  override readonly name = "AccessUnconfirmed";
  readonly code: keyof typeof unconfirmed;
  readonly retryAfterSeconds: number;
  /** Set if a tier was required. */
  readonly requiredTier: number | undefined;

  constructor(
    code: AccessUnconfirmed["code"],
    options: { cause?: unknown; retryAfterSeconds: number; requiredTier?: number },
  ) {
    super(unconfirmed[code], { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.requiredTier = options.requiredTier;
  }
}

/** The caller disconnected before its request was complete or before the response. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
}

export class RequestTooSlow extends Error {
  override readonly name = "RequestTooSlow";
}

export class QuotaExceeded extends Error {
  override readonly name = "QuotaExceeded";
  readonly allowance: Allowance;
  /** Undefined if the limit does not belong to the account's plan. */
  readonly planLimit: PlanLimit | undefined;

  constructor(message: string, allowance: Allowance, planLimit?: PlanLimit) {
    super(message);
    this.allowance = allowance;
    this.planLimit = planLimit;
  }
}

export interface PlanLimit {
  readonly plan: string;
  readonly limitType: "per_minute" | "daily" | "exported_rows";
  /** Set if the limit is that of one operation for accounts without a paid plan. */
  readonly reason?: "daily-allowance";
  readonly upgradeUrl: string | undefined;
}

/** The maximum number of requests is waiting; a retry a little later may succeed. */
export class Congested extends Error {
  override readonly name = "Congested";
}

export class NotEnqueued extends Error {
  override readonly name = "NotEnqueued";
}

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  /** End of the window, Unix epoch milliseconds. */
  readonly resetAt: number;
}

export class InvalidBody extends Error {
  override readonly name = "InvalidBody";

  constructor() {
    super("Invalid request body");
  }
}

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
  readonly maxBytes: number;

  constructor(message: string, maxBytes: number) {
    super(message);
    this.maxBytes = maxBytes;
  }
}

/** The request contradicts the current state: for example, an ID is in use, or the maximum number of keys exists. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

export class CallInFlight extends Error {
  override readonly name = "CallInFlight";
}

/** The stored value was encrypted with a secret that is not configured. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

/** The first call with this idempotency key ended, but its response is unknown. The call is never repeated. */
export class CallAnswerLost extends Error {
  override readonly name = "CallAnswerLost";
}

/** The idempotency key was used for a different request. */
export class IdempotencyKeyReused extends Error {
  override readonly name = "IdempotencyKeyReused";
}

/** A mandatory limit cannot be checked now. */
export class QuotasUnreadable extends Error {
  override readonly name = "QuotasUnreadable";
}

/** The service cannot distinguish valid from invalid keys now. */
export class KeysUnreadable extends Error {
  override readonly name = "KeysUnreadable";
}

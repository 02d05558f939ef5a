/** What went wrong, in words of the domain; http/errors.ts says how each travels. */

/** A request broke one or more rules; the first of them are told. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  readonly violations: readonly Violation[];

  /** Of a request that breaks very many rules the first 50 are told. */
  constructor(violations: readonly Violation[]) {
    const first = violations.slice(0, 50);
    super(first.map(({ field, description }) => `${field}: ${description}`).join("; "));
    this.violations = first;
  }
}

/** One broken rule and the parameter, body path or header it is about. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** The data cannot be read now: never loaded, or the store is out of reach. */
export class Unavailable extends Error {
  override name = "Unavailable";
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 30;
  }
}

/** More is asked for than can be served in time; nothing is broken. */
export class Overloaded extends Unavailable {
  constructor(message: string, retryAfterSeconds: number, options: { cause?: unknown } = {}) {
    const { stackTraceLimit } = Error;
    // Nobody reads where it was thrown: thousands may be a second, and writing that down is an eighth of what one costs.
    Error.stackTraceLimit = 0;
    super(message, { ...options, retryAfterSeconds: Math.min(Math.max(Math.ceil(retryAfterSeconds), 1), 30) });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "Overloaded";
  }
}

/** There is nothing that may be served: never loaded, too old, or without a main part. Health tells it; it is no fault of a request. */
export class NothingToServe extends Unavailable {}

/** A thing that was asked for by name does not exist, or not for this caller. */
export class NotFound extends Error {
  override readonly name: string = "NotFound";
}

/** Changes after the position asked for are no longer kept. */
export class ChangesGone extends NotFound {}

/** An upstream did not answer as it should: time-out, status, format, size. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** Seconds the upstream asked us to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** What happened, where the status does not tell. */
  readonly kind: "unreachable" | "refused" | "over quota" | undefined;
  /** No request was sent: the upstream is spared. */
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

/** A setting is missing or contradicts another. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** A file that is no backup of this program, or not one that this program can restore. */
export class UnusableBackup extends Error {
  override readonly name = "UnusableBackup";
}

/** No key, or one that is malformed, unknown, revoked or expired. */
export class NotAuthenticated extends Error {
  override readonly name = "NotAuthenticated";
  /** Set where a key may come as a bearer token too: what it opens. */
  readonly realm: string | undefined;

  constructor(message: string, { realm, ...options }: ErrorOptions & { readonly realm?: string } = {}) {
    super(message, options);
    this.realm = realm;
  }
}

/** The key is good; its subscription, tier or scope does not cover the operation. */
export class NotEntitled extends Error {
  override readonly name = "NotEntitled";
  readonly details: {
    /** Set when the billing provider itself confirmed the end. */
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

/** Of the account's subscriptions none runs any more. */
export class SubscriptionEnded extends NotEntitled {
  constructor() {
    super("API access requires an active subscription");
  }
}

/** The plan's tier is too low for an operation whose refusal tells where to get a higher one. */
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

/** The operation is there, and this installation has it switched off. */
export class SwitchedOff extends Error {
  override readonly name = "SwitchedOff";
}

const unconfirmed = {
  renewal_verification_pending: "Renewal verification pending",
  renewal_verification_failed: "Renewal verification failed",
  entitlement_verification_unavailable: "Unable to verify API access",
} as const;

/** Whether the account has access is not known at this moment. */
export class AccessUnconfirmed extends Error {
  override readonly name = "AccessUnconfirmed";
  readonly code: keyof typeof unconfirmed;
  readonly retryAfterSeconds: number;
  /** Set when a tier was asked for. */
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

/** The caller went away before its request was whole, or before it was answered. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
}

/** The body of a request did not come in time. */
export class RequestTooSlow extends Error {
  override readonly name = "RequestTooSlow";
}

/** A limit was met. */
export class QuotaExceeded extends Error {
  override readonly name = "QuotaExceeded";
  readonly allowance: Allowance;
  /** Absent where the limit is not of the account's plan. */
  readonly planLimit: PlanLimit | undefined;

  constructor(message: string, allowance: Allowance, planLimit?: PlanLimit) {
    super(message);
    this.allowance = allowance;
    this.planLimit = planLimit;
  }
}

/** Which limit of which plan was met, and where a wider plan is to be had. */
export interface PlanLimit {
  readonly plan: string;
  readonly limitType: "per_minute" | "daily" | "exported_rows";
  /** Set where it is one operation's limit for accounts that pay for no plan. */
  readonly reason?: "daily-allowance";
  readonly upgradeUrl: string | undefined;
}

/** More waits already than may; a little later there may be room. */
export class Congested extends Error {
  override readonly name = "Congested";
}

/** A job could not be handed to the queue. */
export class NotEnqueued extends Error {
  override readonly name = "NotEnqueued";
}

/** What a quota leaves to a caller. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  /** End of the window, Unix epoch milliseconds. */
  readonly resetAt: number;
}

/** The body of a request is no JSON object. */
export class InvalidBody extends Error {
  override readonly name = "InvalidBody";

  constructor() {
    super("Invalid request body");
  }
}

/** The body of a request is longer than is read, or that of a response than is written. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
  readonly maxBytes: number;

  constructor(message: string, maxBytes: number) {
    super(message);
    this.maxBytes = maxBytes;
  }
}

/** What is asked for contradicts what is there, such as an id that is taken or one key more than allowed. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** The same idempotency key is at work already. */
export class CallInFlight extends Error {
  override readonly name = "CallInFlight";
}

/** What is kept was encrypted with a secret that is not configured. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

/** The first call with the same idempotency key has ended, but its answer is not known: it is never done twice. */
export class CallAnswerLost extends Error {
  override readonly name = "CallAnswerLost";
}

/** The idempotency key was used for another request. */
export class IdempotencyKeyReused extends Error {
  override readonly name = "IdempotencyKeyReused";
}

/** A limit that must hold cannot be checked now. */
export class QuotasUnreadable extends Error {
  override readonly name = "QuotasUnreadable";
}

/** Valid and invalid keys cannot be told apart now. */
export class KeysUnreadable extends Error {
  override readonly name = "KeysUnreadable";
}

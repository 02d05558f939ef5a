import { Code, ConnectError } from "@connectrpc/connect";
import {
  BillingVerificationErrorSchema,
  ForbiddenErrorSchema,
  ValidationErrorSchema,
} from "../../gen/es/ids/common/v1/common_pb.ts";
import {
  AccessUnconfirmed,
  BodyTooLarge,
  CallAnswerLost,
  CallInFlight,
  ChangesGone,
  Conflict,
  Congested,
  IdempotencyKeyReused,
  InvalidBody,
  InvalidRequest,
  KeysUnreadable,
  NotAuthenticated,
  NotEnqueued,
  NotEntitled,
  NotFound,
  NothingToServe,
  Overloaded,
  QuotaExceeded,
  QuotasUnreadable,
  RequestAborted,
  RequestTooSlow,
  SwitchedOff,
  Unavailable,
  UpgradeRequired,
  UpstreamError,
} from "../errors.ts";
import { ProjectionRefused } from "../projection/projection-errors.ts";
import { helpLink } from "./error-guide.ts";
import { rejectionHeaders } from "./load/limit-headers.ts";
import { standardDetails } from "./rpc/standard-details.ts";

/** The response to a failed request: status, JSON body, and extra headers as flat pairs. */
export interface Failure {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: readonly string[];
  /** The equivalent of the status in Connect, gRPC-Web, and gRPC. */
  readonly code: Code;
  /** Whether the failure is ours, not the caller's. Its cause is then logged. */
  readonly fault: boolean;
}

/** Converts any thrown value. An unknown error becomes a 500 without details. */
export function toFailure(error: unknown, now: number): Failure {
  if (error instanceof InvalidRequest) return rejection(400, Code.InvalidArgument, { violations: error.violations });
  if (error instanceof ProjectionRefused)
    return rejection(400, Code.InvalidArgument, { _jmespath_error: error.message, original_keys: error.originalKeys });
  if (error instanceof NotAuthenticated)
    return rejection(401, Code.Unauthenticated, { error: error.message }, ["WWW-Authenticate", challenge(error)]);
  if (error instanceof NotEntitled)
    return rejection(
      403,
      Code.PermissionDenied,
      { error: error.message, ...error.details },
      billing(error.details.code),
    );
  if (error instanceof UpgradeRequired) {
    const data = { reason: "upgrade-required", upgradeUrl: error.upgradeUrl, ...error.details };
    return rejection(403, Code.PermissionDenied, { error: { message: error.message, data } });
  }
  if (error instanceof AccessUnconfirmed) return unconfirmed(error);
  if (error instanceof SwitchedOff)
    return rejection(503, Code.Unavailable, { error: error.message }, ["Retry-After", "60"]);
  if (error instanceof MessageRefused)
    return rejection(error.status, Code.InvalidArgument, { error: error.message }, ["Connection", "close"]);
  if (error instanceof MediaTypeRefused) return rejection(415, Code.InvalidArgument, { error: error.message });
  if (error instanceof RouteNotFound) return rejection(404, Code.NotFound, { error: error.message });
  if (error instanceof ChangesGone) return rejection(410, Code.OutOfRange, { message: error.message });
  if (error instanceof NotFound) return rejection(404, Code.NotFound, { message: error.message });
  if (error instanceof InvalidBody) return rejection(400, Code.InvalidArgument, { message: error.message });
  if (error instanceof PostTooLarge) return rejection(400, Code.InvalidArgument, tooLarge(error));
  if (error instanceof BodyTooLarge) return rejection(413, Code.ResourceExhausted, tooLarge(error));
  if (error instanceof RequestAborted) return rejection(400, Code.Canceled, { error: error.message });
  if (error instanceof RequestTooSlow) return rejection(408, Code.DeadlineExceeded, { error: error.message });
  if (error instanceof Conflict) return rejection(409, Code.FailedPrecondition, { message: error.message });
  if (error instanceof CallInFlight)
    return rejection(409, Code.Aborted, { error: "idempotency_conflict", message: error.message }, [
      "Retry-After",
      "2",
    ]);
  if (error instanceof CallAnswerLost)
    return rejection(409, Code.Aborted, { error: "idempotency_answer_lost", message: error.message });
  if (error instanceof IdempotencyKeyReused)
    return rejection(422, Code.InvalidArgument, { error: "idempotency_key_reused", message: error.message });
  if (error instanceof VerbNotAllowed)
    return rejection(405, Code.Unimplemented, { error: "Method not allowed" }, ["Allow", error.allow]);
  if (error instanceof NotAcceptable) return rejection(406, Code.Unimplemented, { message: error.message });
  if (error instanceof PostNotConvertible)
    return rejection(400, Code.InvalidArgument, { error: error.message, ...error.details });
  if (error instanceof NotRedistributable) return rejection(403, Code.PermissionDenied, { error: error.message });
  if (error instanceof OriginRefused) return rejection(403, Code.PermissionDenied, { error: error.message });
  if (error instanceof QuotaExceeded)
    return rejection(429, Code.ResourceExhausted, quotaBody(error), rejectionHeaders(error.allowance, now));
  if (error instanceof Congested)
    return rejection(429, Code.ResourceExhausted, { message: error.message }, ["Retry-After", "30"]);
  if (error instanceof QuotasUnreadable)
    return degraded("Rate-limit service temporarily unavailable", "X-RateLimit-Mode");
  if (error instanceof KeysUnreadable) return degraded("Service temporarily unavailable", "X-Validation-Mode");
  if (error instanceof NothingToServe || error instanceof Overloaded)
    return rejection(503, Code.Unavailable, { message: error.message }, [
      "Retry-After",
      String(error.retryAfterSeconds),
    ]);
  if (error instanceof Unavailable)
    return fault(503, Code.Unavailable, { message: error.message }, ["Retry-After", String(error.retryAfterSeconds)]);
  if (error instanceof NotEnqueued) return fault(502, Code.Unavailable, { message: error.message });
  if (error instanceof UpstreamError) return fault(502, Code.Unavailable, { message: "Upstream unavailable" });
  return fault(500, Code.Internal, { message: "Internal server error" });
}

function degraded(error: string, header: string): Failure {
  return fault(503, Code.Unavailable, { error }, [header, "degraded", "Retry-After", "5"]);
}

/** Converts any thrown value for the RPC protocols. Errors of the library pass through. */
export function toConnectError(error: unknown, now: number): ConnectError {
  if (error instanceof ConnectError) return error;
  const { body, headers, code } = toFailure(error, now);
  const text = typeof body.error === "string" ? body.error : messageOf(error, body);
  const metadata = new Headers();
  for (let index = 0; index + 1 < headers.length; index += 2)
    metadata.set(headers[index] ?? "", headers[index + 1] ?? "");
  const retryAfter = metadata.get("Retry-After");
  metadata.set(...helpLink(error));
  const standard = standardDetails(error, body, retryAfter === null ? undefined : Number(retryAfter));
  return new ConnectError(text, code, metadata, [...detailsOf(error), ...standard], error);
}

function messageOf(error: unknown, { message }: Failure["body"]): string {
  return error instanceof InvalidRequest || error instanceof UpgradeRequired ? error.message : String(message);
}

function detailsOf(error: unknown): NonNullable<ConstructorParameters<typeof ConnectError>[3]> {
  if (error instanceof InvalidRequest)
    return [{ desc: ValidationErrorSchema, value: { violations: [...error.violations] } }];
  if (error instanceof NotEntitled || error instanceof UpgradeRequired)
    return [{ desc: ForbiddenErrorSchema, value: { error: error.message, ...error.details } }];
  if (error instanceof AccessUnconfirmed) {
    const { message, code, requiredTier } = error;
    const value = { error: message, code, ...(requiredTier === undefined ? {} : { requiredTier }) };
    return [{ desc: BillingVerificationErrorSchema, value }];
  }
  return [];
}

function unconfirmed({ message, code, retryAfterSeconds, requiredTier, cause }: AccessUnconfirmed): Failure {
  const seconds = Math.min(Math.max(Math.ceil(retryAfterSeconds), 1), 60);
  return {
    ...rejection(
      503,
      Code.Unavailable,
      { error: message, code, ...(requiredTier === undefined ? {} : { requiredTier }) },
      [...billing(code), "Retry-After", String(seconds)],
    ),
    // Details of an unclear renewal are in the account's own reads. Only an unreachable store is a fault of each
    // request.
    fault: cause !== undefined,
  };
}

function challenge({ realm }: NotAuthenticated): string {
  const key = 'ApiKey realm="ids"';
  return realm === undefined ? key : `Bearer realm="${realm}", ${key}`;
}

function billing(code: string | undefined): string[] {
  return code === undefined ? [] : ["X-Billing-Verification", code];
}

const reasons = { 400: "Bad Request", 501: "Not Implemented", 505: "HTTP Version Not Supported" } as const;

/** The message violates HTTP. Its connection ends, because the boundaries of the next message are uncertain. */
export class MessageRefused extends Error {
  override readonly name = "MessageRefused";
  readonly status: keyof typeof reasons;

  constructor(status: MessageRefused["status"]) {
    super(reasons[status]);
    this.status = status;
  }
}

export class MediaTypeRefused extends Error {
  override readonly name = "MediaTypeRefused";
  constructor(types: string) {
    super(`Content-Type: value must be ${types}`);
  }
}

export class RouteNotFound extends Error {
  override readonly name = "RouteNotFound";
}

/** The terms of a source do not permit this request for any caller. */
export class NotRedistributable extends Error {
  override readonly name = "NotRedistributable";
}

export class NotAcceptable extends Error {
  override readonly name = "NotAcceptable";

  constructor(formats: string) {
    super(`Not available in the accepted format; available: ${formats}`);
  }
}

export class VerbNotAllowed extends Error {
  override readonly name = "VerbNotAllowed";
  readonly allow: string;

  constructor(allow: string) {
    super("Method not allowed");
    this.allow = allow;
  }
}

export class PostNotConvertible extends Error {
  override readonly name = "PostNotConvertible";
  readonly details: {
    readonly parameter?: string;
    readonly maxValues?: number;
    readonly maxCharacters?: number;
    readonly hint?: string;
  };

  constructor(message: string, details: PostNotConvertible["details"] = {}) {
    super(message);
    this.details = details;
  }
}

export class PostTooLarge extends BodyTooLarge {
  constructor({ maxBytes }: BodyTooLarge) {
    super("malformed_request", maxBytes);
  }
}

export class OriginRefused extends Error {
  override readonly name = "OriginRefused";
}

function tooLarge({ message, maxBytes }: BodyTooLarge): Failure["body"] {
  return { error: message, maxBytes };
}

function quotaBody({ message, allowance, planLimit }: QuotaExceeded): Failure["body"] {
  if (!planLimit) return { error: message };
  const { plan, limitType, reason, upgradeUrl } = planLimit;
  const { limit, resetAt } = allowance;
  return {
    error: message,
    plan,
    limit,
    limit_type: limitType,
    reset: new Date(resetAt).toISOString(),
    ...(upgradeUrl && { upgrade_url: upgradeUrl }),
    ...(reason && { reason }),
  };
}

function rejection(status: number, code: Code, body: Failure["body"], headers: readonly string[] = []): Failure {
  return { status, code, body, headers, fault: false };
}

function fault(status: number, code: Code, body: Failure["body"], headers: readonly string[] = []): Failure {
  return { status, code, body, headers, fault: true };
}

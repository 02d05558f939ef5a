import { Code } from "@connectrpc/connect";
import { namesOf } from "./reference/named.ts";

/**
 * The cause of a failure in the metrics. `caller`: wrong request or key. `limit`: quota. `gone`: the client disconnected
 * or was too slow. `source`: no data that may be served. `shed`: overload. `service`: everything else. `flagged`: a
 * response that marks its data as missing or too old.
 */
export type FailureCause = (typeof failureCauses)[number];

export const failureCauses = ["caller", "limit", "gone", "source", "flagged", "shed", "service"] as const;

/** Describes a kind of error for every protocol. */
export interface ErrorKind {
  /** HTTP status of the response. */
  readonly status: number;
  /** Status code over Connect, gRPC-Web, and gRPC. */
  readonly code: Code;
  readonly countedAs: FailureCause;
  /** Member of the JSON body with the message. The default is `message`. */
  readonly member?: "error";
  /** Message for clients, if the message of the error itself is only for the log. */
  readonly text?: string;
  /** Short name of the error in the JSON body. */
  readonly name?: string;
  readonly retryAfterSeconds?: number;
  /** Headers of the error response, as an array of alternating names and values. */
  readonly headers?: readonly string[];
  /** True if the service is at fault. The cause of the error is then logged. */
  readonly isFault?: true;
  readonly cause: string;
  /** Advice to the caller in the documentation. */
  readonly remedy: string;
}

/** Code of an error. It is also the anchor in the documentation. */
export type ErrorCode = keyof typeof errorKinds;

/** All errors that clients can get, by code. The code is the name of the error class in kebab case. */
export const errorKinds = {
  "invalid-request": kind(400, Code.InvalidArgument, {
    cause:
      "A parameter or a member of the body breaks a rule. `violations` names the fields that fail the same check, such as that of types, and their rules.",
    remedy: "Correct the fields that are named; the operation's page lists what each accepts.",
  }),
  "projection-refused": kind(400, Code.InvalidArgument, {
    cause: "The `jmespath` expression cannot be read, costs too much, or its output is too large.",
    remedy: "Test the expression on a saved response. `original_keys` are the members that it can begin with.",
  }),
  "invalid-body": kind(400, Code.InvalidArgument, {
    cause: "The body isn't a JSON object, or doesn't match the schema of the operation.",
    remedy: "Send a JSON object as the operation's page shows it, in UTF-8.",
  }),
  "post-not-convertible": kind(400, Code.InvalidArgument, {
    member: "error",
    cause:
      "A read was sent as a POST whose body cannot be written as a query. `parameter` names the one that cannot, and `maxValues` is the limit.",
    remedy: "Send a flat JSON object of parameters, or use GET.",
  }),
  "message-refused": kind(400, Code.InvalidArgument, {
    headers: ["Connection", "close"],
    member: "error",
    cause:
      "The request breaks a rule of HTTP, such as two lengths of one body (400), its head is longer than 16 KB (431), or it was not complete in time (408). The connection is closed.",
    remedy: "Check the client or proxy that writes the request.",
  }),
  "media-type-refused": kind(415, Code.InvalidArgument, {
    member: "error",
    cause: "The procedure does not support the `Content-Type` of this Connect call.",
    remedy:
      "Send `application/json` or `application/proto`; streams accept `application/connect+json` or `application/connect+proto`.",
  }),
  "not-authenticated": kind(401, Code.Unauthenticated, {
    member: "error",
    cause: "There is no key, or it is malformed, unknown, revoked or expired.",
    remedy: "Send a valid key in `X-Service-Key`. Each request checks the key again; a new key works immediately.",
  }),
  "not-entitled": kind(403, Code.PermissionDenied, {
    member: "error",
    cause: "The key is valid, but its account's tier, its subscription or its own rights do not cover the operation.",
    remedy:
      "`requiredTier` and `currentTier` say what is missing. Change the plan, or use a key that has the scope and may change data.",
  }),
  "subscription-ended": kind(403, Code.PermissionDenied, {
    member: "error",
    cause: "The account's subscription has ended.",
    remedy: "Renew the subscription. Operations of tier 0 remain available.",
  }),
  "upgrade-required": kind(403, Code.PermissionDenied, {
    cause: "The operation needs a higher plan.",
    remedy: "Follow `upgradeUrl`.",
  }),
  "origin-refused": kind(403, Code.PermissionDenied, {
    member: "error",
    cause: "This service does not allow the origin of the web page, or a form was not sent from its own page.",
    remedy:
      "Ask the operator to add the origin to `IDS_ALLOWED_ORIGINS`, or send the request from a server. If a form such as the sign-in fails, load its page again. If it still fails, the [proxy](/docs/guides/proxies) changes `Host`, sends no `X-Forwarded-Proto`, or is missing in `IDS_TRUSTED_PROXIES`.",
  }),
  "not-redistributable": kind(403, Code.PermissionDenied, {
    member: "error",
    cause: "The terms of a source do not permit to redistribute its rows as a file.",
    remedy: "Read the rows as JSON. `/docs` has the terms of every source.",
  }),
  "route-not-found": kind(404, Code.NotFound, {
    member: "error",
    cause: "No operation has this path.",
    remedy: "Compare the path with `/docs`; the major version is part of it.",
  }),
  "not-found": kind(404, Code.NotFound, {
    cause: "The resource does not exist, or belongs to another account.",
    remedy: "List the resources, and use an id from the list.",
  }),
  "changes-gone": kind(410, Code.OutOfRange, {
    cause:
      "Changes after the position are no longer stored (retention: 7 days), or the position is newer than the log.",
    remedy: "Read the datasets again, then continue with `after` at the position in the message.",
  }),
  "data-changed": kind(410, Code.Aborted, {
    cause: "The data of a collection of `/ogc` changed between two pages, so the next page would repeat or miss rows.",
    remedy: "Read the first page again, without a cursor.",
  }),
  "verb-not-allowed": kind(405, Code.Unimplemented, {
    member: "error",
    cause: "The path exists, but not for this HTTP method.",
    remedy: "Use a method from the `Allow` header.",
  }),
  "not-installed": kind(501, Code.Unimplemented, {
    cause: "The response needs an optional package that the operator has not installed.",
    remedy: "Use what the message names, or ask the operator to install the package.",
  }),
  "not-acceptable": kind(406, Code.Unimplemented, {
    cause: "The operation does not have the format in `Accept`.",
    remedy: "Use a format that the message names.",
  }),
  "precondition-failed": kind(412, Code.FailedPrecondition, {
    cause: "`If-Match` names another version of the file than the current one.",
    remedy: "Read the file from the start, without `If-Match`.",
  }),
  "range-not-satisfiable": kind(416, Code.OutOfRange, {
    cause: "`Range` selects no byte of the file. `Content-Range` has the length of the file.",
    remedy: "Request a range within the length, or the whole file without `Range`.",
  }),
  "request-too-slow": kind(408, Code.DeadlineExceeded, {
    countedAs: "gone",
    member: "error",
    cause: "The body of the request did not arrive in time.",
    remedy: "Send the whole body immediately, and check the speed of the connection.",
  }),
  "request-aborted": kind(400, Code.Canceled, {
    countedAs: "gone",
    member: "error",
    cause: "The request ended before it was complete.",
    remedy: "Send it again.",
  }),
  conflict: kind(409, Code.FailedPrecondition, {
    cause: "The request conflicts with the current state: for example, an id is in use, or the plan allows no more.",
    remedy: "Read the current state, then change the request.",
  }),
  "call-in-flight": kind(409, Code.Aborted, {
    name: "idempotency_conflict",
    retryAfterSeconds: 2,
    cause: "A request with the same `Idempotency-Key` is in progress.",
    remedy: "Wait for `Retry-After` and send the same request again: it returns the first response.",
  }),
  "call-answer-lost": kind(409, Code.Aborted, {
    name: "idempotency_answer_lost",
    cause: "The first request with this `Idempotency-Key` ended without a known result. It is never repeated.",
    remedy: "Read the current state; if nothing was done, send the request with a new key.",
  }),
  "idempotency-key-reused": kind(422, Code.InvalidArgument, {
    name: "idempotency_key_reused",
    cause: "The `Idempotency-Key` was used for a different request.",
    remedy: "Use a new key for each new request.",
  }),
  "body-too-large": kind(413, Code.ResourceExhausted, {
    member: "error",
    cause:
      "The body of the request, or of a batch's response, is longer than `maxBytes`. For a POST to a read the status is 400.",
    remedy: "Split the request.",
  }),
  "quota-exceeded": kind(429, Code.ResourceExhausted, {
    countedAs: "limit",
    member: "error",
    cause: "The quota of the plan, the operation, or the address is used up.",
    remedy: "Wait for `Retry-After`. GetLimits and GetUsage show what is left; `/plans` shows what other plans allow.",
  }),
  congested: kind(429, Code.ResourceExhausted, {
    retryAfterSeconds: 30,
    countedAs: "limit",
    cause: "The account already runs the maximum of this kind.",
    remedy: "Wait until one of these ends.",
  }),
  "access-unconfirmed": kind(503, Code.Unavailable, {
    countedAs: "service",
    member: "error",
    cause: "The access of the account cannot be checked now.",
    remedy: "Try again after `Retry-After`. The key was not rejected.",
  }),
  "switched-off": kind(503, Code.Unavailable, {
    retryAfterSeconds: 60,
    headers: ["X-Should-Retry", "false"],
    member: "error",
    cause: "The operator of this service has switched the operation off.",
    remedy: "Ask the operator.",
  }),
  "quotas-unreadable": kind(503, Code.Unavailable, {
    retryAfterSeconds: 5,
    headers: ["X-RateLimit-Mode", "degraded"],
    text: "Rate-limit service temporarily unavailable",
    countedAs: "service",
    member: "error",
    isFault: true,
    cause: "A strict limit cannot be checked now.",
    remedy: "Try again after `Retry-After`.",
  }),
  "keys-unreadable": kind(503, Code.Unavailable, {
    retryAfterSeconds: 5,
    headers: ["X-Validation-Mode", "degraded"],
    text: "Service temporarily unavailable",
    countedAs: "service",
    member: "error",
    isFault: true,
    cause: "Keys cannot be checked now.",
    remedy: "Try again after `Retry-After`. The key was not rejected.",
  }),
  overloaded: kind(503, Code.Unavailable, {
    countedAs: "shed",
    cause: "The service is overloaded and cannot respond in time.",
    remedy: "Try again after `Retry-After`, with fewer requests in parallel.",
  }),
  "nothing-to-serve": kind(503, Code.Unavailable, {
    countedAs: "source",
    cause: "The data was never loaded, is past its maximum age, or lacks a main source. The message says which.",
    remedy:
      "ListDatasets and `/api/health` show the state. Try again after `Retry-After`. Without it, `as_of` is a time without data that may be served: use another time.",
  }),
  unavailable: kind(503, Code.Unavailable, {
    countedAs: "service",
    isFault: true,
    cause: "The data cannot be read now, or it changed during the read.",
    remedy: "Try again after `Retry-After`.",
  }),
  "not-enqueued": kind(502, Code.Unavailable, {
    countedAs: "service",
    isFault: true,
    cause: "The job could not be queued. Nothing was done.",
    remedy: "Send the request again.",
  }),
  "upstream-error": kind(502, Code.Unavailable, {
    text: "Upstream unavailable",
    countedAs: "source",
    isFault: true,
    cause: "A source that the request depends on failed.",
    remedy: "Try again later; ListSources shows the state of the sources.",
  }),
  internal: kind(500, Code.Internal, {
    text: "Internal server error",
    countedAs: "service",
    isFault: true,
    cause: "The service has an internal error.",
    remedy: "Report it with the `X-Request-Id` of the response.",
  }),
};

function kind(
  status: number,
  code: Code,
  { countedAs = "caller", ...more }: Omit<ErrorKind, "status" | "code" | "countedAs"> & Partial<ErrorKind>,
): ErrorKind {
  return { status, code, countedAs, ...more };
}

const codes = new Map<unknown, ErrorCode>();

/**
 * Returns the code of an error, such as `quota-exceeded` for `QuotaExceeded`. If the class has no entry, its parent
 * class determines the code. Unknown errors have the code for internal errors.
 */
export function errorCode(error: unknown): ErrorCode {
  const kind = error instanceof Error ? error.constructor : undefined;
  const known = codes.get(kind);
  if (known !== undefined) return known;
  const code = codeOf(error);
  codes.set(kind, code);
  return code;
}

function codeOf(error: unknown): ErrorCode {
  for (let each: unknown = error; each instanceof Error; each = Object.getPrototypeOf(each)) {
    const code = each.constructor.name.replace(/(?<=[a-z])[A-Z]/g, "-$&").toLowerCase();
    const known = namesOf(errorKinds).find((name) => name === code);
    if (known) return known;
  }
  return "internal";
}

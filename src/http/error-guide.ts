/** What a failure means to a caller, and what to do. */
export interface ErrorGuide {
  readonly cause: string;
  readonly remedy: string;
}

/** Anchor of the page of all failures. */
export type ErrorCode = keyof typeof errorGuides;

/** Every failure that a caller can be told, by its code: the class of the error in kebab case. */
export const errorGuides = {
  "invalid-request": {
    cause: "A parameter or a member of the body breaks a rule. `violations` names each field and its rule.",
    remedy: "Correct the fields that are named; the operation's page lists what each accepts.",
  },
  "projection-refused": {
    cause: "The `jmespath` expression cannot be read, costs too much, or its output is too large.",
    remedy: "Test the expression on a saved response. `original_keys` are the members that it can begin with.",
  },
  "invalid-body": {
    cause: "The body is no JSON object, or not what the operation takes.",
    remedy: "Send a JSON object as the operation's page shows it, in UTF-8.",
  },
  "post-not-convertible": {
    cause:
      "A read was sent as a POST whose body cannot be written as a query. `parameter` is the one that cannot, `maxValues` the limit that is exceeded.",
    remedy: "Send a flat JSON object of parameters, or use GET.",
  },
  "message-refused": {
    cause:
      "The request breaks a rule of HTTP, such as two lengths of one body (400), its head is longer than 16 KB (431), or it did not come whole in time (408). The connection is closed.",
    remedy: "Check the client or proxy that writes the request.",
  },
  "media-type-refused": {
    cause: "The `Content-Type` of a call by Connect is none that the procedure reads.",
    remedy:
      "Send `application/json` or `application/proto`; streams take `application/connect+json` or `application/connect+proto`.",
  },
  "not-authenticated": {
    cause: "There is no key, or it is malformed, unknown, revoked or expired.",
    remedy: "Send a valid key in `X-Service-Key`. Keys are checked anew with each request; a new one works at once.",
  },
  "not-entitled": {
    cause: "The key is valid, but its account's tier, its subscription or its own scopes do not cover the operation.",
    remedy: "`requiredTier` and `currentTier` say what is missing. Change the plan, or use a key with the scope.",
  },
  "subscription-ended": {
    cause: "The account's subscription has ended.",
    remedy: "Renew the subscription. Operations of tier 0 still answer.",
  },
  "upgrade-required": {
    cause: "The operation needs a higher plan.",
    remedy: "Follow `upgradeUrl`.",
  },
  "origin-refused": {
    cause: "The web page that asks is of an origin that this service does not let in.",
    remedy: "Ask the operator to add the origin to `IDS_ALLOWED_ORIGINS`, or ask from a server.",
  },
  "not-redistributable": {
    cause: "The terms of a source do not permit its rows to be passed on as a file.",
    remedy: "Read the rows as JSON. `/docs` has the terms of every source.",
  },
  "route-not-found": {
    cause: "No operation has this path.",
    remedy: "Compare the path with `/docs`; the major version is part of it.",
  },
  "not-found": {
    cause: "What was named does not exist, or belongs to another account.",
    remedy: "List what there is, and use an id from the list.",
  },
  "changes-gone": {
    cause:
      "Changes after the position are no longer kept (they are for 7 days), or it is above the newest: of another log.",
    remedy: "Read the datasets again, then go on with `after` at the position that the message names.",
  },
  "verb-not-allowed": {
    cause: "The path exists, but not for this HTTP method.",
    remedy: "Use a method that `Allow` names.",
  },
  "not-acceptable": {
    cause: "The format that `Accept` asks for is not available for this operation.",
    remedy: "Use a format that the message names.",
  },
  "request-too-slow": {
    cause: "The body of the request did not come in time.",
    remedy: "Send it at once; look at the connection if it is slow.",
  },
  "request-aborted": {
    cause: "The request ended before it was whole.",
    remedy: "Send it again.",
  },
  conflict: {
    cause: "The request contradicts what is there, such as an id that is taken or one thing more than the plan allows.",
    remedy: "Read the current state and decide again.",
  },
  "call-in-flight": {
    cause: "A request with the same `Idempotency-Key` is in progress.",
    remedy: "Wait for `Retry-After` and send the same request again: it returns the first response.",
  },
  "call-answer-lost": {
    cause: "The first request with this `Idempotency-Key` ended without a known result. It is never repeated.",
    remedy: "Read the current state; if nothing was done, send the request with a new key.",
  },
  "idempotency-key-reused": {
    cause: "The `Idempotency-Key` was used for a different request.",
    remedy: "Use a new key for each new request.",
  },
  "body-too-large": {
    cause:
      "The body is longer than `maxBytes`: the one of the request (400 where it is a POST to a read), or the one of a batch's response.",
    remedy: "Send less at a time.",
  },
  "quota-exceeded": {
    cause: "A limit of the plan, of the operation or of the address is used up.",
    remedy: "Wait for `Retry-After`. GetLimits and GetUsage show what is left; `/plans` shows what other plans allow.",
  },
  congested: {
    cause: "As much of this kind as the account may have is under way.",
    remedy: "Wait until one of them has ended.",
  },
  "access-unconfirmed": {
    cause: "Whether the account has access cannot be confirmed now.",
    remedy: "Try again after `Retry-After`. The key is not refused.",
  },
  "switched-off": {
    cause: "The operator of this service has switched the operation off.",
    remedy: "Ask the operator.",
  },
  "quotas-unreadable": {
    cause: "A limit that must hold cannot be checked now.",
    remedy: "Try again after `Retry-After`.",
  },
  "keys-unreadable": {
    cause: "Keys cannot be checked now.",
    remedy: "Try again after `Retry-After`. The key is not refused.",
  },
  overloaded: {
    cause: "More is asked of the service than it can answer in time.",
    remedy: "Try again after `Retry-After`, with fewer requests at once.",
  },
  "nothing-to-serve": {
    cause: "The data was never loaded, is past its maximum age, or lacks a main source. The message says which.",
    remedy: "ListDatasets and `/api/health` show the state. Try again later; it is no fault of the request.",
  },
  unavailable: {
    cause: "The data cannot be read now, or moved while it was read.",
    remedy: "Try again after `Retry-After`.",
  },
  "not-enqueued": {
    cause: "The job could not be queued. Nothing was done.",
    remedy: "Send the request again.",
  },
  "upstream-error": {
    cause: "A source that is asked during the request did not answer as it should.",
    remedy: "Try again later; ListSources shows the state of the sources.",
  },
  internal: {
    cause: "A fault of the service.",
    remedy: "Report it with the `X-Request-Id` of the response.",
  },
} as const satisfies Readonly<Record<string, ErrorGuide>>;

const codes = new Map<unknown, ErrorCode>();

/** `QuotaExceeded` as `quota-exceeded`, of a kind of it that has no entry its own; what is not known to callers is internal. */
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
    if (code in errorGuides) return code as ErrorCode;
  }
  return "internal";
}

/** Leads to what the failure means, as flat pairs of headers. */
export function helpLink(error: unknown): [name: string, value: string] {
  return helpOn(errorCode(error));
}

/** The same of a failure that no error stands for. */
export function helpOn(code: ErrorCode): [name: string, value: string] {
  return ["Link", `</docs/errors#${code}>; rel="help"`];
}

import { type DescMessage, getOption } from "@bufbuild/protobuf";
import {
  BillingVerificationErrorSchema,
  ErrorSchema,
  ForbiddenErrorSchema,
  GatewayErrorSchema,
  IdempotencyErrorSchema,
  ProjectionErrorSchema,
  RateLimitErrorSchema,
  UnauthorizedErrorSchema,
  UpgradeErrorSchema,
  ValidationErrorSchema,
} from "../../../gen/es/ids/common/v1/common_pb.ts";
import { response_headers as responseHeaders } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../catalog.ts";
import { exampleOf } from "../example.ts";
import type { JsonSchema } from "../schema.ts";

/** Messages that describe the bodies of errors. */
export const errorBodies: readonly DescMessage[] = [
  ValidationErrorSchema,
  ProjectionErrorSchema,
  UnauthorizedErrorSchema,
  ForbiddenErrorSchema,
  RateLimitErrorSchema,
  BillingVerificationErrorSchema,
  UpgradeErrorSchema,
  IdempotencyErrorSchema,
  ErrorSchema,
];

const text = { type: "string" };
const integer = { type: "integer" };

/** Every response header of the API, by name. */
export const headerComponents = {
  "X-Request-Id": {
    description:
      "Id of this request. The caller's own id if it is 1 to 64 characters of `A-Za-z0-9_-`, otherwise a new id.",
    schema: text,
  },
  ETag: { description: "Strong validator of the response bytes. Send it in `If-None-Match`.", schema: text },
  "Cache-Control": {
    description: "How long the response may be cached. Errors and responses without data are `no-store`.",
    schema: text,
  },
  "CDN-Cache-Control": { description: "How long a content delivery network may cache the response.", schema: text },
  Vary: { description: "Request headers on which the response depends.", schema: text },
  "X-Data-Origin": {
    description: "`sample` if the response is from sample data, whose values are invented. Otherwise absent.",
    schema: { type: "string", enum: ["sample"] },
  },
  "X-Data-Age": {
    description:
      "Seconds since the last successful read of the data. Present only if the data is older than it should be.",
    schema: integer,
  },
  "X-Data-Stale": {
    description: "`true` if the data is older than it should be. Such a response may be cached for at most one minute.",
    schema: { type: "string", enum: ["true"] },
  },
  "X-Data-Missing": {
    description: "Required sources that were never read, comma-separated. The data is incomplete without them.",
    schema: text,
  },
  "X-Bbox": {
    description: "`missing` if no corner of the map box was sent.",
    schema: { type: "string", enum: ["missing"] },
  },
  "X-Bbox-Missing": { description: "Corner parameters that were not sent, comma-separated.", schema: text },
  "X-Flight-Upstream": {
    description: "`unavailable` if the flight provider failed.",
    schema: { type: "string", enum: ["unavailable"] },
  },
  "X-RateLimit-Limit": { description: "Requests allowed in the window.", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests remaining in the window.", schema: integer },
  "X-RateLimit-Reset": { description: "End of the window, Unix epoch milliseconds.", schema: integer },
  "RateLimit-Policy": { description: 'The quota and its window in seconds: `"default";q=60;w=60`.', schema: text },
  RateLimit: {
    description: 'Remaining requests and seconds until the window ends: `"default";r=59;t=42`.',
    schema: text,
  },
  "RateLimit-Limit": { description: "Requests allowed in the window.", schema: integer },
  "RateLimit-Remaining": { description: "Requests remaining in the window.", schema: integer },
  "RateLimit-Reset": { description: "Seconds until the window ends.", schema: integer },
  "Retry-After": { description: "Seconds to wait before retrying.", schema: integer },
  "X-Billing-Verification": {
    description: "State of the billing verification. Same as `code` in the body.",
    schema: text,
  },
  "X-Validation-Mode": { description: "`degraded` while keys cannot be validated.", schema: text },
  "X-RateLimit-Mode": { description: "`degraded` while a required rate limit cannot be checked.", schema: text },
  "Idempotency-Key": { description: "Key under which the response is stored for 24 hours.", schema: text },
  "Idempotent-Replayed": {
    description: "`true` if this is the stored response of an earlier call with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true", "false"] },
  },
  "WWW-Authenticate": { description: "How to authenticate.", schema: text },
  "X-Ignored-Parameters": {
    description: "Names of unknown query parameters that were ignored: percent-encoded, comma-separated, at most 20.",
    schema: text,
  },
  "Preference-Applied": { description: "The `Prefer` value that was applied: `handling=strict`.", schema: text },
  Deprecation: {
    description: "Time since which the path or a request parameter is deprecated: `@` and Unix seconds (RFC 9745).",
    schema: text,
  },
  Link: {
    description:
      "Documentation (`help`) and terms of the sources (`license`) of the data; the metadata of a file (`describedby`); the path to use instead of a deprecated one (RFC 8288).",
    schema: text,
  },
  "Content-Disposition": { description: "Name of the file: not with JSON.", schema: text },
  Location: { description: "URL of the status of the started job.", schema: text },
  Allow: { description: "Methods that the path supports.", schema: text },
} as const;

type HeaderName = keyof typeof headerComponents;

const always: readonly HeaderName[] = [
  "X-Request-Id",
  "Cache-Control",
  "X-Ignored-Parameters",
  "Preference-Applied",
  "Deprecation",
  "Link",
];
const limits: readonly HeaderName[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit"];
const refused: readonly HeaderName[] = [
  ...limits,
  "RateLimit-Policy",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
];

/** What is told of the data behind an answer; in RPC, metadata of the same names. */
const ofData = ["X-Data-Origin", "X-Data-Age", "X-Data-Stale", "X-Data-Missing"] as const;

/** Headers that the contract gives to this operation alone. Throws where one is described nowhere. */
function ownHeaders({ name, method }: Operation): readonly HeaderName[] {
  return getOption(method, responseHeaders).map((header) => {
    if (header in headerComponents) return header as HeaderName;
    throw new Error(`${name} names the header ${header}, which is not described`);
  });
}

/** The responses of an operation: its success, 304 where it can be revalidated, and every failure with its shape. */
export function responsesOf(operation: Operation, content: JsonSchema): JsonSchema {
  const { access, read, queried, inPath, successStatus, failureStatuses } = operation;
  const limit = limitSentence(operation);
  const own: readonly HeaderName[] = access.anonymous ? always : [...always, ...limits];
  const success: readonly HeaderName[] = [
    ...own,
    ...(queried ? (["ETag", ...(access.anonymous ? (["CDN-Cache-Control"] as const) : []), "Vary"] as const) : []),
    ...(read ? ofData : (["Idempotency-Key", "Idempotent-Replayed"] as const)),
    ...("text/csv" in content ? (["Content-Disposition"] as const) : []),
    ...ownHeaders(operation),
  ];
  return {
    [successStatus]:
      successStatus === 204
        ? { description: "Success. The response has no body.", headers: refs(success) }
        : { description: "Success.", headers: refs(success), content },
    ...(queried
      ? { 304: { description: "Not modified: the cached response is still current.", headers: refs(success) } }
      : {}),
    400: failure(
      "A parameter is invalid.",
      own,
      ValidationErrorSchema,
      ...(queried ? [ProjectionErrorSchema] : [ErrorSchema]),
    ),
    ...(queried ? {} : { 413: failure(tooLarge, own, access.anonymous ? ErrorSchema : GatewayErrorSchema) }),
    ...(read ? {} : writeFailures(own)),
    ...(read && (inPath.length > 0 || failureStatuses.includes(404)) ? { 404: missing(own) } : {}),
    ...("text/csv" in content
      ? { 406: failure("The format in `Accept` is not available for this operation.", own, ErrorSchema) }
      : {}),
    ...(failureStatuses.includes(502)
      ? { 502: failure("A required service did not respond. Nothing was done.", own, ErrorSchema) }
      : {}),
    ...(access.anonymous ? anonymousFailures(limit) : keyedFailures(access, limit, own)),
  };
}

function writeFailures(own: readonly HeaderName[]): JsonSchema {
  return {
    404: missing(own),
    409: failure(
      "Conflict with the current state, or a request with this Idempotency-Key is in progress.",
      [...own, "Retry-After"],
      ErrorSchema,
      IdempotencyErrorSchema,
    ),
    422: failure("The Idempotency-Key was used for a different request.", own, IdempotencyErrorSchema),
  };
}

const tooLarge = "The request body is larger than 256 KB.";

function missing(own: readonly HeaderName[]): JsonSchema {
  return failure("Not found, or not accessible to this caller.", own, ErrorSchema);
}

/** What the operation allows beside the account's plan. */
function limitSentence({ quotaPerMinute, freeCallsPerDay }: Operation): string {
  return [
    "A rate limit was exceeded.",
    ...(quotaPerMinute > 0 ? [`This operation has its own limit of ${quotaPerMinute} requests per minute.`] : []),
    ...(freeCallsPerDay > 0
      ? [
          `Tier 0 accounts may call it ${freeCallsPerDay} times per UTC day; beyond that, \`reason\` is \`daily-allowance\`.`,
        ]
      : []),
  ].join(" ");
}

const nothingToServe =
  "The data cannot be read now, was never loaded, or is past its maximum age. The message states when it was last read.";

function anonymousFailures(limit: string): JsonSchema {
  return {
    429: failure(limit, [...always, ...refused], ErrorSchema),
    503: failure(nothingToServe, [...always, "Retry-After", "X-RateLimit-Mode"], ErrorSchema),
    default: failure("Any other failure.", [...always, "Retry-After", "Allow"], ErrorSchema),
  };
}

function keyedFailures(access: Operation["access"], limit: string, own: readonly HeaderName[]): JsonSchema {
  return {
    401: failure(
      "The key is missing, malformed, unknown, revoked or expired.",
      [...always, "WWW-Authenticate"],
      UnauthorizedErrorSchema,
    ),
    403: failure(
      "The key is valid but lacks the subscription, tier or scope.",
      [...own, "X-Billing-Verification"],
      ...(access.proGated ? [UpgradeErrorSchema] : []),
      ForbiddenErrorSchema,
    ),
    429: failure(limit, [...always, ...refused], RateLimitErrorSchema, ErrorSchema),
    503: failure(
      `Access cannot be confirmed now. ${nothingToServe}`,
      [...own, "Retry-After", "X-Billing-Verification", "X-Validation-Mode", "X-RateLimit-Mode"],
      BillingVerificationErrorSchema,
      GatewayErrorSchema,
      ErrorSchema,
    ),
    default: failure("Any other failure.", [...own, "Allow"], ErrorSchema, GatewayErrorSchema),
  };
}

function failure(description: string, headers: readonly HeaderName[], ...bodies: readonly DescMessage[]): JsonSchema {
  const shapes = bodies.map(({ typeName }) => ({ $ref: `#/components/schemas/${typeName}` }));
  const schema = shapes.length === 1 ? shapes[0] : { anyOf: shapes };
  const [first] = bodies;
  return {
    description,
    headers: refs(headers),
    content: { "application/json": { schema, example: first && exampleOf(first) } },
  };
}

function refs(names: readonly HeaderName[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

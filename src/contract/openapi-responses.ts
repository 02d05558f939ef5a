import type { DescMessage } from "@bufbuild/protobuf";
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
} from "../../gen/es/ids/common/v1/common_pb.ts";
import type { Operation } from "./catalog.ts";
import { exampleOf } from "./example.ts";
import type { JsonSchema } from "./schema.ts";

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
    description: "Id of this request: the caller's own when it is 1 to 64 of `A-Za-z0-9_-`, else a new one.",
    schema: text,
  },
  ETag: { description: "Strong validator of these bytes; send it back in `If-None-Match`.", schema: text },
  "Cache-Control": {
    description: "How long the answer may be kept. Errors and answers without data are `no-store`.",
    schema: text,
  },
  "CDN-Cache-Control": { description: "How long a content delivery network may keep the answer.", schema: text },
  Vary: { description: "Request headers the answer depends on.", schema: text },
  "X-Data-Origin": {
    description: "`sample` when the answer was made from the illustrative sample data; else absent.",
    schema: { type: "string", enum: ["sample"] },
  },
  "X-Data-Age": {
    description: "Seconds since the data were last read well; only when they are older than they should be.",
    schema: integer,
  },
  "X-Data-Stale": {
    description: "`true` when the data are older than they should be; such an answer may be kept for a minute at most.",
    schema: { type: "string", enum: ["true"] },
  },
  "X-Data-Missing": {
    description: "Sources without which the data say too little and that were never read, separated by commas.",
    schema: text,
  },
  "X-Bbox": {
    description: "`missing` when no corner of the map box was sent.",
    schema: { type: "string", enum: ["missing"] },
  },
  "X-Bbox-Missing": { description: "The corners that were not sent, separated by commas.", schema: text },
  "X-Flight-Upstream": {
    description: "`unavailable` when the provider could not be asked for the aircraft.",
    schema: { type: "string", enum: ["unavailable"] },
  },
  "X-RateLimit-Limit": { description: "Requests allowed in the window.", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests left in the window.", schema: integer },
  "X-RateLimit-Reset": { description: "End of the window, Unix epoch milliseconds.", schema: integer },
  "RateLimit-Policy": { description: 'The quota and its window in seconds: `"default";q=60;w=60`.', schema: text },
  RateLimit: { description: 'Requests left and seconds until the window ends: `"default";r=59;t=42`.', schema: text },
  "RateLimit-Limit": { description: "Requests allowed in the window.", schema: integer },
  "RateLimit-Remaining": { description: "Requests left in the window.", schema: integer },
  "RateLimit-Reset": { description: "Seconds until the window ends.", schema: integer },
  "Retry-After": { description: "Seconds to wait before asking again.", schema: integer },
  "X-Billing-Verification": { description: "State of the billing check; equal to `code` of the body.", schema: text },
  "X-Validation-Mode": { description: "`degraded` while keys cannot be validated.", schema: text },
  "X-RateLimit-Mode": { description: "`degraded` while a limit that must hold cannot be checked.", schema: text },
  "Idempotency-Key": { description: "The key under which the answer is kept for 24 hours.", schema: text },
  "Idempotent-Replayed": {
    description: "`true` when this is the kept answer of an earlier call with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true", "false"] },
  },
  "WWW-Authenticate": { description: "How a caller authenticates.", schema: text },
  "X-Ignored-Parameters": {
    description:
      "Names of query parameters that this operation does not know and has ignored: percent-encoded, separated by commas, at most 20.",
    schema: text,
  },
  "Preference-Applied": { description: "The `Prefer` that was followed: `handling=strict`.", schema: text },
  Deprecation: {
    description: "Since when the path or a parameter of the request is deprecated: `@` and Unix seconds (RFC 9745).",
    schema: text,
  },
  Link: { description: "The path to use instead, or what is said of the deprecation (RFC 8288).", schema: text },
  Location: { description: "Where what was begun can be followed.", schema: text },
  Allow: { description: "The verbs that the path takes.", schema: text },
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

/** Headers that single operations have. */
const ownHeaders: ReadonlyMap<string, readonly HeaderName[]> = new Map([
  ["ListMilitaryBases", ["X-Bbox", "X-Bbox-Missing"]],
  ["GetProviderLiveFlight", ["X-Flight-Upstream"]],
  ["RunScenario", ["Location"]],
]);

/** The responses of an operation: its success, 304 where it can be revalidated, and every failure with its shape. */
export function responsesOf(operation: Operation, body: JsonSchema): JsonSchema {
  const { access, read, inPath, successStatus, failureStatuses } = operation;
  const limit = limitSentence(operation);
  const own: readonly HeaderName[] = access.anonymous ? always : [...always, ...limits];
  const success: readonly HeaderName[] = [
    ...own,
    ...(read
      ? (["ETag", ...(access.anonymous ? (["CDN-Cache-Control"] as const) : []), "Vary", ...ofData] as const)
      : (["Idempotency-Key", "Idempotent-Replayed"] as const)),
    ...(ownHeaders.get(operation.name) ?? []),
  ];
  return {
    [successStatus]:
      successStatus === 204
        ? { description: "Done; there is nothing to tell.", headers: refs(success) }
        : { description: "The answer.", headers: refs(success), content: { "application/json": body } },
    ...(read
      ? { 304: { description: "The bytes the caller holds are still the answer.", headers: refs(success) } }
      : {}),
    400: failure(
      "A parameter breaks a rule.",
      own,
      ValidationErrorSchema,
      ...(read ? [ProjectionErrorSchema] : [ErrorSchema]),
    ),
    ...(read ? {} : writeFailures(own)),
    ...(read && (inPath.length > 0 || failureStatuses.includes(404)) ? { 404: missing(own) } : {}),
    ...(failureStatuses.includes(502)
      ? { 502: failure("What it needs did not answer; nothing was done.", own, ErrorSchema) }
      : {}),
    ...(access.anonymous ? anonymousFailures(limit) : keyedFailures(access, limit, own)),
  };
}

function writeFailures(own: readonly HeaderName[]): JsonSchema {
  return {
    404: missing(own),
    409: failure(
      "It contradicts what is there, or the request with this Idempotency-Key is at work.",
      [...own, "Retry-After"],
      ErrorSchema,
      IdempotencyErrorSchema,
    ),
    413: failure("The body is longer than 256 KB.", own, GatewayErrorSchema),
    422: failure("The Idempotency-Key was used for another request.", own, IdempotencyErrorSchema),
  };
}

function missing(own: readonly HeaderName[]): JsonSchema {
  return failure("What is named is not there, or not for this caller.", own, ErrorSchema);
}

/** What the operation allows beside the account's plan. */
function limitSentence({ quotaPerMinute, freeCallsPerDay }: Operation): string {
  return [
    "A limit was met.",
    ...(quotaPerMinute > 0 ? [`This operation has one of its own: ${quotaPerMinute} requests a minute.`] : []),
    ...(freeCallsPerDay > 0
      ? [`Accounts of tier 0 may ask it ${freeCallsPerDay} times a UTC day, then \`reason\` is \`daily-allowance\`.`]
      : []),
  ].join(" ");
}

const nothingToServe =
  "The data cannot be read now, were never loaded, or are older than may be served: the message tells when they were last read.";

function anonymousFailures(limit: string): JsonSchema {
  return {
    429: failure(limit, [...always, ...refused], ErrorSchema),
    503: failure(nothingToServe, [...always, "Retry-After"], ErrorSchema),
    default: failure("Any other failure.", [...always, "Retry-After", "Allow"], ErrorSchema),
  };
}

function keyedFailures(access: Operation["access"], limit: string, own: readonly HeaderName[]): JsonSchema {
  return {
    401: failure(
      "No key, or one that is malformed, unknown, revoked or expired.",
      [...always, "WWW-Authenticate"],
      UnauthorizedErrorSchema,
    ),
    403: failure(
      "The subscription, tier or scope does not cover this operation.",
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

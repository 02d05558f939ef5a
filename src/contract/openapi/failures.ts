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
} from "../../../gen/es/ids/common/v1/common_pb.ts";
import type { AnyOperation } from "../catalog.ts";
import { exampleOf } from "../example.ts";
import { hasAllPages } from "../file-format.ts";
import { maxBodyBytes } from "../request/request-size.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import { schemaName } from "../schema.ts";
import { type Components, component } from "./components.ts";
import { type HeaderName, headerRefs, ofAny, ofData, ofWrites } from "./headers.ts";

interface Failure {
  readonly description: string;
  readonly bodies: readonly DescMessage[];
  readonly headers?: readonly HeaderName[];
}

const rejectedByLimit: readonly HeaderName[] = [
  "RateLimit-Policy",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
];

const nothingToServe =
  "The data cannot be read now, was never loaded, or is past its maximum age. The message states when it was last read.";

const bodyTooLarge = `The request body is larger than ${maxBodyBytes / 1024} KB. \`maxBytes\` is the limit in bytes.`;

const failures = {
  InvalidParameter: {
    description: "A parameter is invalid.",
    bodies: [ValidationErrorSchema, ProjectionErrorSchema],
  },
  InvalidRequest: { description: "A parameter is invalid.", bodies: [ValidationErrorSchema, ErrorSchema] },
  Unauthorized: {
    description: "The key is missing, malformed, unknown, revoked or expired.",
    bodies: [UnauthorizedErrorSchema],
    headers: ["WWW-Authenticate"],
  },
  AllPagesUnauthorized: {
    description: "With `all`: the key is missing or not valid.",
    bodies: [UnauthorizedErrorSchema],
    headers: ["WWW-Authenticate"],
  },
  Forbidden: {
    description: "The key is valid but lacks the subscription, tier or scope.",
    bodies: [ForbiddenErrorSchema],
    headers: ["X-Billing-Verification"],
  },
  UpgradeNeeded: {
    description: "The key is valid but lacks the subscription, tier or scope.",
    bodies: [UpgradeErrorSchema, ForbiddenErrorSchema],
    headers: ["X-Billing-Verification"],
  },
  NotFound: { description: "Not found, or not accessible to this caller.", bodies: [ErrorSchema] },
  NotAcceptable: {
    description: "The format in `Accept` is not available for this operation.",
    bodies: [ErrorSchema],
  },
  PreconditionFailed: {
    description: "With a file format: `If-Match` names another version of the file.",
    bodies: [ErrorSchema],
  },
  RangeNotSatisfiable: {
    description: "With a file format: `Range` selects no byte. `Content-Range` has the length of the file.",
    bodies: [ErrorSchema],
    headers: ["Content-Range"],
  },
  Conflict: {
    description: "Conflict with the current state, or a request with this Idempotency-Key is in progress.",
    bodies: [ErrorSchema, IdempotencyErrorSchema],
    headers: ["Retry-After"],
  },
  ChangesGone: {
    description:
      "Changes after the position are no longer retained, or it is above the newest. The message names the position to start at.",
    bodies: [ErrorSchema],
  },
  BodyTooLarge: { description: bodyTooLarge, bodies: [GatewayErrorSchema] },
  IdempotencyKeyReused: {
    description: "The Idempotency-Key was used for a different request.",
    bodies: [IdempotencyErrorSchema],
  },
  TooManyRequests: {
    description: "A rate limit was exceeded.",
    bodies: [RateLimitErrorSchema, ErrorSchema],
    headers: rejectedByLimit,
  },
  UpstreamFailed: { description: "A required service did not respond. Nothing was done.", bodies: [ErrorSchema] },
  Unavailable: {
    description: `Access cannot be confirmed now. ${nothingToServe}`,
    bodies: [BillingVerificationErrorSchema, GatewayErrorSchema, ErrorSchema],
    headers: [
      ...ofData,
      "Retry-After",
      "X-Should-Retry",
      "X-Billing-Verification",
      "X-Validation-Mode",
      "X-RateLimit-Mode",
    ],
  },
  OtherFailure: {
    description: "Any other failure.",
    bodies: [ErrorSchema, GatewayErrorSchema],
    headers: ["Retry-After", "Allow"],
  },
  // Response to too many requests for operations that need no key.
  PublicTooManyRequests: {
    description: "A rate limit was exceeded.",
    bodies: [ErrorSchema],
    headers: rejectedByLimit,
  },
  PublicBodyTooLarge: { description: bodyTooLarge, bodies: [ErrorSchema] },
  PublicUnavailable: {
    description: nothingToServe,
    bodies: [ErrorSchema],
    headers: [...ofData, "Retry-After", "X-Should-Retry", "X-RateLimit-Mode"],
  },
  PublicOtherFailure: { description: "Any other failure.", bodies: [ErrorSchema], headers: ["Retry-After", "Allow"] },
} satisfies Record<string, Failure>;

type FailureName = keyof typeof failures;

const known: readonly Failure[] = Object.values(failures);

export const errorBodies: readonly DescMessage[] = [...new Set(known.flatMap(({ bodies }) => bodies))];

/** Describes the failures of an operation by status. `hasTables` adds those of file formats. */
export function failuresOf(operation: AnyOperation, hasTables: boolean, components: Components): JsonSchema {
  const { access, method, queried, inPath, failureStatuses } = operation;
  // A stream has the same failures as a read.
  const read = operation.read || method.methodKind !== "unary";
  const isPublic = access.anonymous;
  // If a table has no rows and the response says why, a file of it is rejected with 404.
  const rejectsFiles = hasTables && method.output.field.unavailableReason !== undefined;
  const hasMissing = !read || inPath.length > 0 || rejectsFiles || failureStatuses.includes(404);
  const names: Readonly<Record<string, FailureName | undefined>> = {
    400: queried ? "InvalidParameter" : "InvalidRequest",
    401: isPublic ? (hasAllPages(operation) ? "AllPagesUnauthorized" : undefined) : "Unauthorized",
    403: isPublic ? undefined : access.proGated ? "UpgradeNeeded" : "Forbidden",
    404: hasMissing ? "NotFound" : undefined,
    406: hasTables ? "NotAcceptable" : undefined,
    412: hasTables ? "PreconditionFailed" : undefined,
    416: hasTables ? "RangeNotSatisfiable" : undefined,
    410: failureStatuses.includes(410) ? "ChangesGone" : undefined,
    409: read ? undefined : "Conflict",
    413: queried ? undefined : isPublic ? "PublicBodyTooLarge" : "BodyTooLarge",
    422: read ? undefined : "IdempotencyKeyReused",
    429: isPublic && !hasAllPages(operation) ? "PublicTooManyRequests" : "TooManyRequests",
    502: failureStatuses.includes(502) ? "UpstreamFailed" : undefined,
    503: isPublic ? "PublicUnavailable" : "Unavailable",
    default: isPublic ? "PublicOtherFailure" : "OtherFailure",
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([status, name]) => (name ? [[status, failureRef(name, components)]] : [])),
  );
}

function failureRef(name: FailureName, components: Components): JsonSchema {
  const { description, bodies, headers = [] }: Failure = failures[name];
  const shapes = bodies.map((body) => ({ $ref: `#/components/schemas/${schemaName(body)}` }));
  const [only, ...others] = shapes;
  // The named component prevents that client generators invent a name for the type.
  const schema = others.length === 0 ? only : component(components, "schemas", `${name}Body`, { anyOf: shapes });
  const [first] = bodies;
  return component(components, "responses", name, {
    description,
    headers: headerRefs([...ofAny, ...ofWrites, ...headers]),
    content: { "application/json": { schema, example: first && exampleOf(first) } },
  });
}

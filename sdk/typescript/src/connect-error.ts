import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import {
  BillingVerificationError,
  type ErrorContext,
  ForbiddenError,
  GatewayError,
  type IdsError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
  ValidationError,
} from "./errors.ts";
import {
  BillingVerificationErrorSchema,
  ForbiddenErrorSchema,
  ValidationErrorSchema,
} from "./gen/ids/common/v1/common_pb.ts";
import { limitsOf, resetOf } from "./headers.ts";

const idempotencyCodes = ["idempotency_conflict", "idempotency_answer_lost", "idempotency_key_reused"];

/** Returns the error of a Connect response, by its status, details and headers. */
export function fromConnect(
  error: ConnectError,
  headers: Headers,
  context: Omit<ErrorContext, "body" | "cause">,
): IdsError {
  const { status } = context;
  const text = error.rawMessage || `The service returned ${status}`;
  const violations = detail(error, ValidationErrorSchema);
  if (violations) return new ValidationError(violations.violations, full(ValidationErrorSchema, violations));
  const unconfirmed = detail(error, BillingVerificationErrorSchema);
  if (unconfirmed) {
    const all = full(BillingVerificationErrorSchema, unconfirmed);
    return new BillingVerificationError(text, unconfirmed.code, unconfirmed.requiredTier, all);
  }
  const bare = { ...context, cause: error };
  if (status === 401) return new UnauthorizedError(text, bare);
  if (status === 403) {
    const refusal = detail(error, ForbiddenErrorSchema);
    return new ForbiddenError(text, refusal ?? {}, refusal ? full(ForbiddenErrorSchema, refusal) : bare);
  }
  if (status === 429) return new RateLimitError(text, limitsOf(headers), resetOf(headers), bare);
  if (idempotencyCodes.includes(text)) return new GatewayError(text, text, bare);
  // Only headers show that the gateway itself failed. A response to an unknown path is not a Connect error.
  const isGateway = headers.has("X-Validation-Mode") || headers.has("X-RateLimit-Mode") || !headers.has("X-Request-Id");
  return isGateway ? new GatewayError(text, undefined, bare) : new ServiceError(text, bare);

  function full<D extends DescMessage>(desc: D, message: MessageShape<D>): ErrorContext {
    return { ...context, cause: error, body: toJson(desc, message) };
  }
}

function detail<D extends DescMessage>(error: ConnectError, desc: D): MessageShape<D> | undefined {
  return error.findDetails(desc)[0];
}

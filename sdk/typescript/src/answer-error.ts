import {
  BillingVerificationError,
  type ErrorContext,
  ForbiddenError,
  GatewayError,
  type IdsError,
  ProjectionError,
  RateLimitError,
  type Refusal,
  ServiceError,
  UnauthorizedError,
  ValidationError,
  type Violation,
} from "./errors.ts";
import { limitsOf, resetOf } from "./headers.ts";

/** Any body of a failure. Every member is checked before use, because a proxy may have written the body. */
interface Body extends Refusal {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly violations?: unknown;
  readonly _jmespath_error?: string;
  readonly original_keys?: readonly string[];
  readonly limit_type?: string;
  readonly upgrade_url?: string;
  readonly plan?: string;
  readonly reason?: string;
}

/** Returns the error of a plain JSON response, by its status and the fields of its body. */
export function answerError(context: ErrorContext, headers: Headers): IdsError {
  const body: Body = typeof context.body === "object" && context.body !== null ? context.body : {};
  const text = textOf(body) ?? `The service returned ${context.status}`;
  const { status } = context;
  if (status === 400 && areViolations(body.violations)) return new ValidationError(body.violations, context);
  if (status === 400 && typeof body._jmespath_error === "string")
    return new ProjectionError(body._jmespath_error, body.original_keys ?? [], context);
  if (status === 401) return new UnauthorizedError(text, context);
  if (status === 403) return new ForbiddenError(text, refusalOf(body), context);
  if (status === 429) {
    const { limit_type: limitType, upgrade_url: upgradeUrl, plan, reason } = body;
    const limits = { ...limitsOf(headers), limitType, reason, plan, upgradeUrl };
    return new RateLimitError(text, limits, resetOf(headers), context);
  }
  if (status === 503 && typeof body.code === "string")
    return new BillingVerificationError(text, body.code, body.requiredTier, context);
  if (body.error === undefined && typeof body.message === "string") return new ServiceError(text, context);
  const isCoded = typeof body.error === "string" && typeof body.message === "string";
  return new GatewayError(text, isCoded ? (body.error as string) : undefined, context);
}

function areViolations(value: unknown): value is readonly Violation[] {
  return Array.isArray(value) && value.every((one) => typeof one?.field === "string");
}

function textOf({ error, message }: Body): string | undefined {
  if (typeof message === "string") return message;
  if (typeof error === "string") return error;
  const inner = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof inner === "string" ? inner : undefined;
}

/** The fields are flat, or below `error.data` if the operation is for paying accounts. */
function refusalOf(body: Body): Refusal {
  const { error } = body;
  const nested = typeof error === "object" && error !== null && "data" in error ? error.data : undefined;
  const { code, requiredTier, currentTier, planKey, upgradeUrl } = { ...body, ...(nested as Refusal | undefined) };
  return { code, requiredTier, currentTier, planKey, upgradeUrl };
}

/** Returns undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

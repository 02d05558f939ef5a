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

/** Any body of a failure. All that is here is read with care: a proxy may have written it. */
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

/** The error of a plain JSON answer, by its status and the shape of its body. */
export function answerError(context: ErrorContext, headers: Headers): IdsError {
  const body: Body = typeof context.body === "object" && context.body !== null ? context.body : {};
  const text = textOf(body) ?? `The service answered ${context.status}`;
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

/** Flat, or below `error.data` where the operation is for paying accounts. */
function refusalOf(body: Body): Refusal {
  const { error } = body;
  const nested = typeof error === "object" && error !== null && "data" in error ? error.data : undefined;
  const { code, requiredTier, currentTier, planKey, upgradeUrl } = { ...body, ...(nested as Refusal | undefined) };
  return { code, requiredTier, currentTier, planKey, upgradeUrl };
}

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { ProtocolError } from "@modelcontextprotocol/server";
import {
  AccessUnconfirmed,
  InvalidBody,
  InvalidRequest,
  NotAuthenticated,
  NotEntitled,
  NotFound,
  NothingToServe,
  Overloaded,
  QuotaExceeded,
  SubscriptionEnded,
  SwitchedOff,
  UpgradeRequired,
} from "../errors.ts";
import type { Failure } from "../http/errors.ts";
import { headerOf } from "../http/exchange.ts";
import { ProjectionRefused } from "../projection/projection-errors.ts";

/** JSON-RPC error codes. Those of this service are outside the reserved range. */
const codes = {
  account: 40_100,
  forbidden: 40_300,
  rate: 42_900,
  source: 50_300,
  invalid: -32_600,
  internal: -32_603,
  unreadable: -32_700,
} as const;

interface RejectionData {
  readonly reason: string;
  readonly nextStep: string;
  readonly upgradeUrl?: string;
  readonly [detail: string]: unknown;
}

/** Returns a tool result for an error that the agent can correct in its next call; undefined for other errors. */
export function correction(error: unknown, tool: string): Record<string, unknown> | undefined {
  if (error instanceof InvalidRequest)
    return {
      violations: error.violations,
      next_step: `Correct the listed parameters. describe_tool {"tool_name":"${tool}"} returns their rules.`,
    };
  if (error instanceof ProjectionRefused)
    return {
      _jmespath_error: error.message,
      original_keys: error.originalKeys,
      next_step: "Correct the expression, or omit jmespath. original_keys are the top-level keys of the full result.",
    };
  if (error instanceof NotFound)
    return { message: error.message, next_step: "Use an existing id: list the available items first." };
  return undefined;
}

/** Converts an error to a JSON-RPC error. `failure` is the same error as an HTTP response. */
export function protocolError(
  error: unknown,
  { status, body, headers }: Failure,
  upgradeUrl: string | undefined,
): ProtocolError {
  const where = upgradeUrl === undefined ? {} : { upgradeUrl };
  const retryAfter = headerOf(headers, "Retry-After") ?? "60";
  const isLasting = error instanceof NothingToServe && error.retryAfterSeconds === undefined;
  const rejected = (code: number, message: string, data: RejectionData) => new ProtocolError(code, message, data);
  if (error instanceof NotAuthenticated)
    return rejected(codes.account, error.message, {
      reason: "no-account",
      nextStep: "Ask the user for an API key and send it as X-Service-Key.",
      ...where,
    });
  if (error instanceof UpgradeRequired)
    return rejected(codes.forbidden, error.message, {
      reason: "upgrade-required",
      nextStep: subscribe(error.upgradeUrl),
      upgradeUrl: error.upgradeUrl,
      ...error.details,
    });
  if (error instanceof NotEntitled)
    return rejected(codes.forbidden, error.message, { ...entitlement(error, upgradeUrl), ...where, ...error.details });
  if (error instanceof QuotaExceeded) {
    const { allowance, planLimit } = error;
    const resetsAt = new Date(allowance.resetAt).toISOString();
    return rejected(codes.rate, error.message, {
      reason: planLimit?.reason ?? planLimit?.limitType.replaceAll("_", "-") ?? "rate-limit",
      nextStep: `Retry after ${resetsAt}, or suggest a higher plan to the user.`,
      resetsAt,
      limit: allowance.limit,
      ...(planLimit?.upgradeUrl === undefined ? {} : { upgradeUrl: planLimit.upgradeUrl }),
    });
  }
  if (error instanceof AccessUnconfirmed)
    return rejected(codes.source, error.message, {
      reason: error.code.replaceAll("_", "-"),
      nextStep: `Retry in ${retryAfter} seconds.`,
    });
  if (error instanceof Overloaded)
    return rejected(codes.source, error.message, {
      reason: "overloaded",
      nextStep: `Retry in ${retryAfter} seconds, with fewer requests at the same time.`,
    });
  if (error instanceof SwitchedOff)
    return rejected(codes.source, error.message, {
      reason: "switched-off",
      nextStep: "Inform the user that the operator has switched this off. A retry does not help.",
    });
  if (status === 502 || status === 503)
    return rejected(codes.source, textOf(body), {
      reason: "source-unavailable",
      nextStep: isLasting
        ? "There was no valid data at as_of. Use another time. Do not treat this as an empty result."
        : `The data cannot be read now. Retry in ${retryAfter} seconds. Do not treat this as an empty result.`,
    });
  if (error instanceof InvalidBody)
    return rejected(codes.unreadable, error.message, { reason: "invalid-body", nextStep: "Send JSON in UTF-8." });
  if (status < 500) {
    const message = error instanceof InvalidRequest ? error.message : textOf(body);
    return rejected(codes.invalid, message, { reason: "invalid-request", nextStep: "Correct the request." });
  }
  return rejected(codes.internal, "Internal error", {
    reason: "internal",
    nextStep: "Inform the user that the service failed.",
  });
}

function entitlement(error: NotEntitled, upgradeUrl: string | undefined): Pick<RejectionData, "reason" | "nextStep"> {
  const { message, details } = error;
  if (error instanceof SubscriptionEnded || details.code === "subscription_lapsed")
    return {
      reason: "lapsed-subscription",
      nextStep: "Inform the user that the subscription has ended and must be renewed.",
    };
  if (details.currentTier !== undefined)
    return {
      reason: "upgrade-required",
      nextStep: subscribe(upgradeUrl),
    };
  return { reason: "not-allowed", nextStep: `The key does not allow this (${message}). Ask the user for another key.` };
}

function subscribe(upgradeUrl: string | undefined): string {
  return `Inform the user that this requires a subscription${upgradeUrl === undefined ? "" : `, available at ${upgradeUrl}`}.`;
}

function textOf({ message, error }: Failure["body"]): string {
  return String(message ?? error);
}

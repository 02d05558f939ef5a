import type { Violation } from "../errors.ts";
import { headerOf } from "../http/exchange.ts";
import { amountText } from "./view/figures.ts";

type Body = Readonly<Record<string, unknown>>;

export function messageIn(body: Body): string {
  const { error, message, _jmespath_error: projection } = body;
  const violations = violationsIn(body);
  if (violations.length > 0) return violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(message ?? error ?? projection ?? "");
}

export function violationsIn({ violations }: Body): readonly Violation[] {
  return Array.isArray(violations) ? violations : [];
}

export function waitIn(headers: readonly string[]): string | undefined {
  const seconds = headerOf(headers, "Retry-After");
  return seconds === undefined ? undefined : `Try again in ${amountText(Number(seconds), "second")}.`;
}

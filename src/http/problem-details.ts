import { type Problem, problemType } from "../contract/problem.ts";
import { errorCode } from "../error-kinds.ts";
import type { Failure } from "./errors.ts";
import { type Exchange, headerOf } from "./exchange.ts";
import { originOf } from "./origin.ts";
import { weightsOf } from "./rest/encoding.ts";

/** Returns a failure as problem details (RFC 9457); undefined unless the client asks for them. */
export function problemOf(exchange: Exchange, error: unknown, { status, body, headers }: Failure): Problem | undefined {
  if (!wantsProblem(exchange.requested ? exchange.requested.accept : exchange.head.accept)) return undefined;
  const code = errorCode(error);
  const texts = [body.message, body.description, body._jmespath_error, body.error];
  const retryAfter = headerOf(headers, "Retry-After");
  return {
    type: `${originOf(exchange)}/docs/errors#${code}`,
    title: `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll("-", " ")}`,
    status,
    detail: String(texts.find((text) => typeof text === "string") ?? (error instanceof Error ? error.message : code)),
    instance: exchange.id,
    code,
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
    ...body,
  };
}

/** Returns whether an `Accept` header names problem details and prefers plain JSON no more than these. */
function wantsProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const weights = weightsOf(accept);
  const json = ["application/json", "application/*", "*/*"].map((type) => weights.get(type));
  const weight = weights.get(problemType) ?? 0;
  return weight > 0 && weight >= (json.find((each) => each !== undefined) ?? 0);
}

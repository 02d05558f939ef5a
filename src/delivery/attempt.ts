import type { Dispatcher } from "undici";
import { AddressRefused } from "../egress/guarded-agent.ts";
import { targetOf } from "../egress/target.ts";
import { libraries } from "../reference/libraries.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { retryAfterSeconds, userAgent } from "../upstream/live.ts";
import type { AttemptError } from "./delivery-table.ts";

/** How one attempt went. */
export interface Attempted {
  readonly status?: number;
  readonly error: AttemptError;
  readonly retryAfterSeconds?: number;
}

/** How attempts reach their addresses. */
export interface AttemptParts {
  readonly agent: () => Dispatcher;
  readonly allowLoopback: boolean;
  readonly timeoutMs: number;
  /** A receiver is told of the trace, so that it can join its own. */
  readonly tracing?: Tracing | undefined;
}

/** More of an answer is not waited for: nobody reads it. */
const maxBytesRead = 65_536;

/** Sends a body once. Whatever comes back but a 2xx is a failure, redirects too. Never throws. */
export async function attempt(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { agent, allowLoopback, timeoutMs, tracing }: AttemptParts,
): Promise<Attempted> {
  const target = targetOf(url, allowLoopback);
  if ("rejected" in target) return { error: "address" };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await libraries.undici().request(target.url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": userAgent(), ...tracing?.headers(), ...headers },
      body,
      dispatcher: agent(),
      signal,
    });
    const { statusCode: status } = response;
    await response.body.dump({ limit: maxBytesRead, signal });
    if (status >= 200 && status < 300) return { status, error: "" };
    const header = response.headers["retry-after"];
    const seconds = retryAfterSeconds(typeof header === "string" ? header : null, new Date());
    return { status, error: "status", ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) };
  } catch (error) {
    if (error instanceof AddressRefused) return { error: "address" };
    return { error: signal.aborted ? "timeout" : "connection" };
  }
}

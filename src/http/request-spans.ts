import type { RequestSpan, Step, Tracing } from "../telemetry/tracing.ts";
import type { Exchange } from "./exchange.ts";

/** Begins the trace span of a sampled request. `template` is the path without the values of its parameters. */
export type RequestSpans = (exchange: Exchange, template: string | undefined) => RequestSpan | undefined;

/** Undefined without tracing. */
export function requestSpans(
  tracing: Tracing | undefined,
  { trustedProxies }: { readonly trustedProxies: readonly string[] },
): RequestSpans | undefined {
  if (!tracing) return undefined;
  // A client other than our proxies must not decide what is sampled.
  const mayContinue = (exchange: Exchange) => trustedProxies.length === 0 || exchange.isFromProxy();
  return (exchange, template) => {
    const { traceparent } = exchange.head;
    const step = () => stepOf(exchange, template);
    return tracing.request(step, traceparent !== undefined && mayContinue(exchange) ? traceparent : undefined);
  };
}

function stepOf({ id, request: { method = "GET" } }: Exchange, template: string | undefined): Step {
  return {
    name: template === undefined ? method : `${method} ${template}`,
    attributes: { "http.request.method": method, "http.route": template, "ids.request_id": id },
  };
}

import type { RequestSpan, Step, Tracing } from "../telemetry/tracing.ts";
import type { Exchange } from "./exchange.ts";

/** Starts the trace span of a sampled request. The template is the path with parameter names. */
export type RequestSpans = (exchange: Exchange, template: string | undefined) => RequestSpan | undefined;

/** Returns the function that starts spans; undefined if tracing is off. */
export function requestSpans(
  tracing: Tracing | undefined,
  { trustedProxies }: { readonly trustedProxies: readonly string[] },
): RequestSpans | undefined {
  if (!tracing) return undefined;
  // Only trusted proxies may continue a trace, because other clients could have every request sampled.
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

import { type Exchange, requestId, sendJson } from "./exchange.ts";
import { type Listener, listen } from "./listener.ts";
import { writeMetrics } from "./operational.ts";
import type { Telemetry } from "./telemetry.ts";

/** Serves `/metrics` without a key on a port of its own, which the operator keeps inside. */
export function metricsListener(host: string, port: number, telemetry: Telemetry): Promise<Listener> {
  return listen(host, port, (request, response) => {
    const id = requestId(undefined);
    const exchange: Exchange = {
      request,
      response,
      head: {},
      id,
      startedAt: 0,
      path: request.url ?? "/",
      query: "",
      headers: ["X-Request-Id", id],
    };
    if (exchange.path !== "/metrics") return sendJson(exchange, 404, { error: "Not found" });
    writeMetrics(exchange, telemetry).catch(() => sendJson(exchange, 500, { error: "Internal server error" }));
  });
}

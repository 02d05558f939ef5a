import { clientAddress } from "../client-address.ts";
import { Exchange, sendJson } from "../exchange.ts";
import { type Listener, listen } from "../listener.ts";
import { writeMetrics } from "./operational.ts";
import type { Telemetry } from "./telemetry.ts";

const direct = clientAddress([], []);

/** Serves `/metrics` without a key. The operator must not expose its port. */
export function metricsListener(host: string, port: number, telemetry: Telemetry): Promise<Listener> {
  return listen(host, port, (request, response) => {
    const exchange = new Exchange(request, response, direct, Date.now());
    if (exchange.path !== "/metrics") return sendJson(exchange, 404, { error: "Not found" });
    writeMetrics(exchange, telemetry).catch(() => sendJson(exchange, 500, { error: "Internal server error" }));
  });
}

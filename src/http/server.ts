import type { Logger } from "pino";
import type { AccessControl } from "./access-control.ts";
import type { ClientAddress } from "./client-address.ts";
import { cors } from "./cors.ts";
import { OriginRefused, toFailure } from "./errors.ts";
import { Exchange, type Request, type Response, send, sendJson } from "./exchange.ts";
import { causeOf, causeOfStatus } from "./failure-cause.ts";
import type { FaultLog } from "./load/fault-log.ts";
import { inSlices } from "./load/intake.ts";
import { requireWellFormed } from "./message-rules.ts";
import { type Route, type Router, refusalOf, takes } from "./router.ts";
import { isProbe } from "./routes/operational.ts";
import type { Telemetry } from "./routes/telemetry.ts";
import type { RpcOperations } from "./rpc/rpc.ts";

export interface ServerParts {
  readonly router: Router;
  readonly rpc: (exchange: Exchange) => void;
  readonly rpcOperations: RpcOperations;
  readonly accessControl: AccessControl;
  readonly addresses: ClientAddress;
  readonly allowedOrigins: readonly string[];
  readonly telemetry: Telemetry;
  readonly log: Logger;
  readonly failed: FaultLog["failed"];
  readonly clock: () => Date;
}

/** The one request listener: id, CORS, routing, the chain, and every failure translated in one place. */
export function requestListener(parts: ServerParts): (request: Request, response: Response) => void {
  const { headersFor, preflight } = cors(parts.allowedOrigins, parts.router.verbs);
  const logsAll = parts.log.isLevelEnabled("debug");

  return inSlices((request, response) => {
    const exchange = new Exchange(request, response, parts.addresses, parts.clock().getTime());
    const { path, headers } = exchange;
    const route = parts.router.find(path, request.method ?? "GET");
    const granted = headersFor(exchange.head.origin);
    if (granted && granted.length > 0) headers.push(...granted);
    try {
      requireWellFormed(request, exchange.head);
      // A browser reads from the headers that are not there that its origin is not let in.
      if (request.method === "OPTIONS") return send(exchange, 204, [...headers, ...preflight]);
      if (!granted) throw new OriginRefused("Origin not allowed");
      if (!route) {
        const operation = parts.rpcOperations.get(path);
        if (operation) return serveRpc(exchange, operation.name);
      }
      const status = dispatch(exchange, route);
      if (typeof status === "number") finished(exchange, route?.name ?? "other", "rest", status);
      else
        status.then(
          (sent) => finished(exchange, route?.name ?? "other", "rest", sent),
          (error: unknown) => fail(exchange, route, error),
        );
    } catch (error) {
      fail(exchange, route, error);
    }
  }, isProbe);

  function dispatch(exchange: Exchange, route: Route | undefined): number | Promise<number> {
    const { method = "GET" } = exchange.request;
    if (route && takes(route, method)) return route.serve(exchange);
    if (route?.anonymous || !parts.router.isKeyed(exchange.path)) throw refusalOf(route);
    // The key comes before the answer to whether the operation exists.
    return Promise.resolve(parts.accessControl.identify(exchange)).then(() => {
      throw refusalOf(route);
    });
  }

  function serveRpc(exchange: Exchange, operation: string): void {
    const { response, headers } = exchange;
    for (let index = 0; index + 1 < headers.length; index += 2)
      response.setHeader(headers[index] ?? "", headers[index + 1] ?? "");
    parts.rpc(exchange);
    response.once("close", () => finished(exchange, operation, "rpc", rpcStatus(exchange)));
  }

  function fail(exchange: Exchange, route: Route | undefined, error: unknown): void {
    const failure = toFailure(error, exchange.now);
    exchange.cause = causeOf(error, exchange.now);
    if (failure.fault) parts.failed(exchange.id, route?.name, error);
    const { error: text, ...rest } = failure.body;
    const body = route?.anonymous && text !== undefined ? { message: text, ...rest } : failure.body;
    sendJson(exchange, failure.status, body, failure.headers);
    finished(exchange, route?.name ?? "other", "rest", failure.status);
  }

  function finished(exchange: Exchange, operation: string, protocol: string, status: number): void {
    const milliseconds = performance.now() - exchange.startedAt;
    parts.telemetry.observe(operation, protocol, status, milliseconds);
    const cause = exchange.cause ?? causeOfStatus(status);
    if (cause !== undefined) parts.telemetry.failed(operation, protocol, cause);
    if (logsAll)
      parts.log.debug(
        { requestId: exchange.id, operation, protocol, status, milliseconds: Math.round(milliseconds * 10) / 10 },
        "request",
      );
  }
}

/** gRPC tells failures behind a 200. */
function rpcStatus({ response: { statusCode }, cause }: Exchange): number {
  if (cause === undefined || cause === "flagged" || statusCode >= 400) return statusCode;
  return cause === "caller" || cause === "limit" || cause === "gone" ? 400 : 503;
}

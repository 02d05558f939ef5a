import { Code } from "@connectrpc/connect";
import { problemType } from "../contract/problem.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { ClientAddress } from "./client-address.ts";
import { optionsHeaders, originHeaders } from "./cors.ts";
import { type Failure, MessageRefused, OriginRefused } from "./errors.ts";
import { Exchange, send, sendJson, unlist } from "./exchange.ts";
import { inFairOrder } from "./load/arrivals.ts";
import { noteRequest } from "./load/connection-limits.ts";
import type { Request, Response } from "./node-message.ts";
import { originOf } from "./origin.ts";
import type { Outcomes } from "./outcomes.ts";
import { problemOf } from "./problem-details.ts";
import type { RequestHead } from "./request-head.ts";
import type { RequestSpans } from "./request-spans.ts";
import { type Route, type Router, rejectUnserved, takes, verbsOf } from "./router.ts";
import { sendPage } from "./routes/page-headers.ts";
import { openRpc, type RpcOperations } from "./rpc/rpc.ts";

function speaksGrpc({ request }: Exchange): boolean {
  return request.method === "POST" && /^application\/grpc/.test(request.headers["content-type"] ?? "");
}

/** Rejects a call of an unknown method in gRPC format, with HTTP status 200. Returns the status to be counted. */
async function rejectUnknownCall(exchange: Exchange, meter: (client: Exchange) => unknown): Promise<number> {
  await meter(exchange);
  const { request, response, headers } = exchange;
  const type = request.headers["content-type"] ?? "application/grpc";
  const head = ["Content-Type", type, "Cache-Control", "no-store", ...headers];
  // gRPC sends its status in the trailer. gRPC-Web sends it in the head if the response has no body.
  if ("stream" in response && !type.startsWith("application/grpc-web")) {
    response.addTrailers(Object.fromEntries(rejection));
    send(exchange, 200, head);
  } else send(exchange, 200, [...head, ...rejection.flat()]);
  return 404;
}

const rejection = [
  ["grpc-status", String(Code.Unimplemented)],
  ["grpc-message", "Unknown service or method"],
] as const;

export interface ServerParts {
  readonly router: Router;
  readonly rpc: (exchange: Exchange) => void;
  readonly rpcOperations: RpcOperations;
  /** Counts requests that are not for an operation by address. Throws `QuotaExceeded`. */
  readonly meter: (client: ClientInfo) => unknown;
  readonly addresses: ClientAddress;
  readonly allowedOrigins: readonly string[];
  /** True if all data is invented. Search engines must then list no response. */
  readonly isSample: boolean;
  readonly outcomes: Outcomes;
  /** Returns the failure as an HTML page if a browser sent the request. */
  readonly errorPage: (exchange: Exchange, failure: Failure) => ErrorPage | undefined;
  readonly clock: () => Date;
  readonly spans: RequestSpans | undefined;
}

export interface ErrorPage {
  readonly markup: string;
  /** Headers that list the sites that may embed the page, as alternating names and values. */
  readonly headers: readonly string[];
}

export function requestListener(parts: ServerParts): (request: Request, response: Response) => void {
  const { finished, failure } = parts.outcomes;
  const headersFor = originHeaders(parts.allowedOrigins);

  const serve = (exchange: Exchange, route: Route | undefined) => {
    const { request, path, headers } = exchange;
    const granted = headersFor(exchange.head.origin);
    if (granted && granted.length > 0) headers.push(...granted);
    try {
      requireWellFormed(request, exchange.head);
      // If the origin is not allowed, the CORS headers are missing, and the browser rejects the response.
      if (request.method === "OPTIONS") {
        const verb = request.headers["access-control-request-method"];
        return send(exchange, 204, [...headers, ...optionsHeaders(verbsAt(path, route), verb)]);
      }
      if (!granted && exchange.head.origin !== originOf(exchange)) throw new OriginRefused("Origin not allowed");
      if (!route) {
        const name = parts.rpcOperations.get(path)?.name ?? openRpc.get(path);
        if (name && callAt(path)?.verbs.includes(request.method ?? "")) return serveRpc(exchange, name);
      }
      const protocol = !route && speaksGrpc(exchange) ? "rpc" : "rest";
      const status = protocol === "rpc" ? rejectUnknownCall(exchange, parts.meter) : dispatch(exchange, route);
      if (typeof status === "number") finished(exchange, route?.name ?? "other", protocol, status);
      else
        status.then(
          (sent) => finished(exchange, route?.name ?? "other", protocol, sent),
          (error: unknown) => fail(exchange, route, error),
        );
    } catch (error) {
      fail(exchange, route, error);
    }
  };

  const handle = (request: Request, response: Response) => {
    noteRequest(request, false);
    const exchange = new Exchange(request, response, parts.addresses, parts.clock().getTime());
    if (parts.isSample) unlist(exchange);
    const route = parts.router.find(exchange.path, request.method ?? "GET");
    exchange.span = parts.spans?.(exchange, route?.template ?? rpcTemplate(exchange.path));
    if (exchange.span) exchange.span.run(() => serve(exchange, route));
    else serve(exchange, route);
  };

  const reject = (request: Request, response: Response, error: unknown) =>
    fail(new Exchange(request, response, parts.addresses, parts.clock().getTime()), undefined, error);
  return inFairOrder(handle, reject, (request) => parts.addresses.addressOf(request));

  function rpcTemplate(path: string): string | undefined {
    return parts.rpcOperations.has(path) || openRpc.has(path) ? path : undefined;
  }

  function callAt(path: string): Pick<Route, "verbs"> | undefined {
    const operation = parts.rpcOperations.get(path);
    if (operation) return { verbs: operation.read ? ["GET", "POST"] : ["POST"] };
    return openRpc.has(path) ? { verbs: ["POST"] } : undefined;
  }

  /** Returns the verbs of a route. An unknown path lists all verbs. */
  function verbsAt(path: string, route: Route | undefined): readonly string[] {
    const known = route ?? callAt(path);
    return known ? verbsOf(known) : parts.router.verbs;
  }

  function dispatch(exchange: Exchange, route: Route | undefined): number | Promise<number> {
    const { method = "GET" } = exchange.request;
    if (route && takes(route, method)) return route.serve(exchange);
    return rejectUnserved(exchange, route ?? callAt(exchange.path), parts.meter);
  }

  function serveRpc(exchange: Exchange, operation: string): void {
    const { response, headers } = exchange;
    response.setHeader("X-Content-Type-Options", "nosniff");
    for (let index = 0; index + 1 < headers.length; index += 2)
      response.setHeader(headers[index] ?? "", headers[index + 1] ?? "");
    parts.rpc(exchange);
    response.once("close", () => finished(exchange, operation, "rpc", rpcStatus(exchange)));
  }

  function fail(exchange: Exchange, route: Route | undefined, error: unknown): void {
    const reported = failure(exchange, route, error);
    const { status, body } = reported;
    const page = parts.errorPage(exchange, reported);
    const problem = problemOf(exchange, error, reported);
    const headers = [...reported.headers, "Vary", "Accept"];
    if (page === undefined) sendJson(exchange, status, problem ?? body, headers, problem && problemType);
    else sendPage(exchange, status, page.markup, headers, page.headers);
    finished(exchange, route?.name ?? "other", "rest", status);
  }
}

/** Returns the HTTP status for metrics, because gRPC reports failures with status 200. */
function rpcStatus({ response: { statusCode }, cause }: Exchange): number {
  if (cause === undefined || cause === "flagged" || statusCode >= 400) return statusCode;
  return cause === "caller" || cause === "limit" || cause === "gone" ? 400 : 503;
}

/** Rejects invalid messages that Node's parser accepts (RFC 9112: 2.3, 3.2, 6.1). Throws `MessageRefused`. */
function requireWellFormed(request: Request, { hosts, transferEncoding }: RequestHead): void {
  if ("stream" in request) return;
  const { httpVersionMajor, httpVersionMinor } = request;
  if (httpVersionMajor !== 1) throw new MessageRefused(httpVersionMajor < 1 ? 400 : 505);
  // With several `Host` headers, a proxy may have used another one than this server.
  if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) throw new MessageRefused(400);
  if (request.headers.host?.includes(",")) throw new MessageRefused(400);
  // HTTP/1.0 has no chunks, so a body with `Transfer-Encoding` has no certain end.
  if (transferEncoding !== undefined && httpVersionMinor === 0) throw new MessageRefused(400);
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== "chunked") throw new MessageRefused(501);
}

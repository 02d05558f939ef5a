import { createMcpHandler, localhostAllowedHostnames, validateHostHeader } from "@modelcontextprotocol/server";
import { interfaceVersion } from "../contract/openapi.ts";
import { OriginRefused, toFailure, VerbNotAllowed } from "../http/errors.ts";
import { type Exchange, send, sendJson } from "../http/exchange.ts";
import { readBody } from "../http/request-body.ts";
import type { Route } from "../http/router.ts";
import type { Visitor } from "../interceptors/visitor.ts";
import { guide, serverCard } from "./guide.ts";
import { protocolError } from "./refusal.ts";
import { createMcpServer, type McpParts } from "./server.ts";
import type { Session } from "./session.ts";
import { createToolbox } from "./toolbox.ts";

export interface McpRouteParts extends Omit<McpParts, "toolbox"> {
  /** Counts a request that is no call of a tool by its address. Throws `QuotaExceeded`. */
  readonly meterVisitor: (visitor: Visitor) => unknown;
  /** Only this machine is meant to reach the service, without a proxy in between. */
  readonly isLocal: boolean;
}

/** Protects memory: an agent sends names and parameters. */
const largestBodyBytes = 256 * 1024;
const largestIdBytes = 256;
const verbs = ["POST", "GET", "HEAD"];

/** Where language-model agents find the reads as tools, in either generation of the protocol. */
export function mcpRoutes(given: McpRouteParts): (readonly [string, Route])[] {
  const parts = { ...given, toolbox: createToolbox(given.reads) };
  const card = async (exchange: Exchange) => {
    sendJson(exchange, 200, serverCard(interfaceVersion));
    return 200;
  };
  const cardRoute: Route = { name: "mcp-card", verbs: ["GET", "HEAD"], anonymous: false, serve: card };
  return [
    ["/mcp", { name: "mcp", verbs, anonymous: false, serve: (exchange) => serveMcp(exchange, parts) }],
    ["/.well-known/mcp", cardRoute],
    ["/.well-known/mcp.json", cardRoute],
  ];
}

type Parts = McpRouteParts & McpParts;

async function serveMcp(exchange: Exchange, parts: Parts): Promise<number> {
  if (exchange.request.method !== "POST") return tellGuide(exchange, parts);
  let id: unknown = null;
  try {
    requireOwnHost(exchange, parts);
    const body = await readBody(exchange.request, largestBodyBytes);
    const message = parsed(body);
    id = idOf(message);
    const visitor = visitorOf(exchange);
    // A bad key is told at once, whatever it came with.
    if (visitor.head.serviceKey !== undefined) await parts.gate.identify(visitor);
    if (methodOf(message) !== "tools/call") await parts.meterVisitor(visitor);
    if (Buffer.byteLength(JSON.stringify(id)) > largestIdBytes)
      return sendError(exchange, 400, null, -32_600, `The id has more than ${largestIdBytes} bytes`);
    const listsAll = new URLSearchParams(exchange.query).get("tools") === "all";
    return await answer({ exchange, visitor, listsAll }, body, parts);
  } catch (error) {
    const failure = toFailure(error, exchange.now);
    if (failure.fault) parts.failed(exchange, error, failure);
    const { code, message, data } = protocolError(error, failure, parts.upgradeUrl);
    return sendError(exchange, failure.status, id, code, message, data, failure.headers);
  }
}

/** Hands the request to the protocol; a refusal inside gives the answer its status and headers. */
async function answer(session: Session, body: string, parts: Parts): Promise<number> {
  const { exchange } = session;
  const handler = createMcpHandler(() => createMcpServer(parts, session), {
    responseMode: "json",
    maxSubscriptions: 0,
  });
  const { headers } = exchange.request;
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value !== undefined && /^(accept|content-type|mcp-.+)$/.test(name) ? [[name, String(value)]] : [],
  );
  const response = await handler.fetch(new Request("http://localhost/mcp", { method: "POST", headers: given, body }));
  const bytes = Buffer.from(await response.arrayBuffer());
  const status = session.failure && response.ok ? mostTelling(session.failure.status) : response.status;
  const own = ["content-type", "allow"].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [name, value];
  });
  send(
    exchange,
    status,
    [
      ...own,
      "Content-Length",
      String(bytes.length),
      ...common,
      ...exchange.headers,
      ...(session.failure?.headers ?? []),
    ],
    bytes,
  );
  return status;
}

const common = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"];

/** Who calls, and limits, are told in the status as well; a source that is out is the tool's own answer. */
function mostTelling(status: number): number {
  return status === 401 || status === 403 || status === 429 ? status : 200;
}

/** For people and for agents that look before they speak; no stream is kept open for events that never come. */
function tellGuide(exchange: Exchange, parts: Parts): number {
  const wantsEvents = String(exchange.request.headers.accept ?? "").includes("text/event-stream");
  if (wantsEvents) throw new VerbNotAllowed([...verbs, "OPTIONS"].join(", "));
  const body = Buffer.from(guide(parts.toolbox.short));
  send(
    exchange,
    200,
    [
      "Content-Type",
      "text/markdown; charset=utf-8",
      "Content-Length",
      String(body.length),
      ...common,
      ...exchange.headers,
    ],
    body,
  );
  return 200;
}

/** A page on another site that makes its own name point at this machine sends that name. */
function requireOwnHost({ request }: Exchange, { isLocal }: McpRouteParts): void {
  const host = request.headers.host ?? String(request.headers[":authority"] ?? "");
  if (isLocal && !validateHostHeader(host, localhostAllowedHostnames()).ok) throw new OriginRefused("Host not allowed");
}

/** The key comes as everywhere, or as the bearer token that some clients can send alone. */
function visitorOf(exchange: Exchange): Visitor {
  const { serviceKey, apiKey } = exchange.head;
  const bearer = /^Bearer +(\S+) *$/i.exec(exchange.request.headers.authorization ?? "")?.[1];
  const key = serviceKey || apiKey || bearer;
  return { head: key === undefined ? {} : { serviceKey: key }, now: exchange.now, address: () => exchange.address() };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function idOf(message: unknown): unknown {
  const id = typeof message === "object" && message !== null && "id" in message ? message.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function methodOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "method" in message ? message.method : undefined;
}

function sendError(
  exchange: Exchange,
  status: number,
  id: unknown,
  code: number,
  message: string,
  data?: unknown,
  headers: readonly string[] = [],
): number {
  sendJson(
    exchange,
    status,
    { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } },
    headers,
  );
  return status;
}

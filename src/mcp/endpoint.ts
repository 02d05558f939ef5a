import {
  createMcpHandler,
  localhostAllowedHostnames,
  type ProtocolError,
  validateHostHeader,
} from "@modelcontextprotocol/server";
import { interfaceVersion } from "../contract/openapi/openapi.ts";
import { hasTooManyItems, maxJsonItems } from "../contract/request/request-size.ts";
import { InvalidRequest } from "../errors.ts";
import { type Failure, helpLink, helpOn, OriginRefused, toFailure, VerbNotAllowed } from "../http/errors.ts";
import { type Exchange, send, sendJson } from "../http/exchange.ts";
import type { RequestQueue } from "../http/load/request-queue.ts";
import { readBody } from "../http/rest/request-body.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { ToolDefinition } from "./operation-tool.ts";
import { prompts } from "./prompts.ts";
import { protocolError } from "./rejection.ts";
import { createMcpServer, instructions, type McpParts, serverName } from "./server.ts";
import type { Session } from "./session.ts";

export interface EndpointParts extends McpParts {
  /** True if only this machine can reach the service, without a proxy. */
  readonly isLocal: boolean;
  readonly queue: RequestQueue;
  /** HTTP verbs of the route. */
  readonly verbs: readonly string[];
}

/** Maximum size of a request, which limits memory. An agent sends only names and parameters. */
const maxBodyBytes = 256 * 1024;
const maxIdBytes = 256;
const longId = { field: "id", description: `must be at most ${maxIdBytes} bytes` };
const batch = { field: "body", description: "must be a single request, not a list of requests" };
const tooMany = { field: "body", description: `must contain at most ${maxJsonItems} values` };

/** Responds to an agent in either of the two supported revisions of the protocol. */
export async function serveMcp(exchange: Exchange, parts: EndpointParts): Promise<number> {
  if (exchange.request.method !== "POST") return sendGuide(exchange, parts);
  let message: unknown;
  try {
    requireOwnHost(exchange, parts);
    const body = await readBody(exchange.request, maxBodyBytes);
    if (hasTooManyItems(body)) throw new InvalidRequest([tooMany]);
    message = parsed(body);
    const id = idOf(message);
    const client = clientOf(exchange);
    // An invalid key is always rejected, even if the request needs no key.
    const principal = client.head.serviceKey === undefined ? undefined : await parts.accessControl.identify(client);
    if (methodOf(message) !== "tools/call") await parts.meterClient(client);
    // Batches are rejected, because the library for the older revision would run all of their requests.
    if (Array.isArray(message)) throw new InvalidRequest([batch]);
    if (Buffer.byteLength(JSON.stringify(id)) > maxIdBytes) throw new InvalidRequest([longId]);
    const listsAll = new URLSearchParams(exchange.query).get("tools") === "all";
    const session: Session = { exchange, client, listsAll };
    const run = () => respond(session, body, parts);
    // A call of a read is queued and counted later, as an operation. Other requests are queued here.
    const response = isRead(message) ? await run() : await parts.queue.run(exchange, principal, undefined, run);
    // If the library has rejected a call before it ran, the call was not counted. It is counted here.
    if (methodOf(message) === "tools/call" && !session.counted) await parts.meterClient(client);
    return sendResponse(session, id, response);
  } catch (error) {
    const failure = toFailure(error, exchange.now);
    if (failure.fault) parts.failed(exchange, error, failure);
    const reply = { headers: [...failure.headers, ...helpLink(error)], status: reportedStatus(message, failure) };
    return sendError(exchange, idOf(message), reply, protocolError(error, failure, parts.upgradeUrl));
  }
}

/**
 * Returns the HTTP status of an error. A client may end its session after an error status. Errors of only this request
 * are therefore reported in the body with status 200.
 */
function reportedStatus(message: unknown, { status }: Failure): number {
  if (![403, 429, 503].includes(status)) return status;
  if (idOf(message) !== null) return 200;
  // A notification has no response, so its error needs no body.
  return String(methodOf(message)).startsWith("notifications/") ? 202 : status;
}

/** Sends the card of the server, which clients read before they connect. */
export function sendCard(exchange: Exchange): number {
  sendJson(exchange, 200, serverCard(interfaceVersion));
  return 200;
}

/** Response of the MCP library. */
interface ReadResponse {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** Passes the request to the MCP library and returns its response. */
async function respond(session: Session, body: string, parts: EndpointParts): Promise<ReadResponse> {
  const { exchange } = session;
  const handler = createMcpHandler(() => createMcpServer(parts, session), {
    maxSubscriptions: 0,
  });
  const given = Object.entries(exchange.request.headers).flatMap(([name, value]): [string, string][] =>
    value !== undefined && /^(content-type|mcp-.+)$/.test(name) ? [[name, String(value)]] : [],
  );
  const accept: [string, string] = ["accept", "application/json, text/event-stream"];
  const response = await handler.fetch(
    new Request("http://localhost/mcp", { method: "POST", headers: [...given, accept], body }),
  );
  // The whole body of the library's response is read first, because in the older revision the HTTP status is known only
  // after it.
  return { status: response.status, ...(await readResponse(exchange, response)) };
}

/** Sends the response. If the key is invalid, the HTTP status says so, because the client's session must end then. */
function sendResponse({ exchange, rejection }: Session, id: unknown, { status, type, text }: ReadResponse): number {
  if (rejection?.failure.status === 401) return sendError(exchange, id, rejection.failure, rejection.error);
  const bytes = Buffer.from(text);
  const own = [...(type === null ? [] : ["Content-Type", type]), "Content-Length", String(bytes.length), ...common];
  const extra = rejection?.failure.headers ?? (status < 400 ? [] : helpOn("invalid-body"));
  send(exchange, status, [...own, ...exchange.headers, ...extra], bytes);
  return status;
}

/**
 * In the older revision, the library wraps responses as events. If the client does not accept events, it receives only
 * the JSON in the event.
 */
async function readResponse({ request }: Exchange, response: Response): Promise<{ type: string | null; text: string }> {
  const type = response.headers.get("content-type");
  const text = await response.text();
  if (!type?.startsWith("text/event-stream") || readsEvents(request)) return { type, text };
  const data = text.split("\n").find((line) => line.startsWith("data: {"));
  return { type: "application/json", text: data?.slice("data: ".length) ?? "" };
}

function readsEvents({ headers }: Exchange["request"]): boolean {
  return String(headers.accept ?? "").includes("text/event-stream");
}

const common = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"];

/**
 * Sends the server card and the guide to clients that explore with GET. Throws if a client requests a stream of events,
 * because the server sends none.
 */
function sendGuide(exchange: Exchange, { toolbox, verbs }: EndpointParts): number {
  if (readsEvents(exchange.request)) throw new VerbNotAllowed([...verbs, "OPTIONS"].join(", "));
  sendJson(exchange, 200, { ...serverCard(interfaceVersion), guide: guide(toolbox.short()) });
  return 200;
}

/**
 * If only this machine can reach the service, throws if the request names another host. It prevents DNS rebinding: a
 * page of another site, whose name resolves to this machine, sends the site's name as the host.
 */
function requireOwnHost({ request }: Exchange, { isLocal }: EndpointParts): void {
  const host = request.headers.host ?? String(request.headers[":authority"] ?? "");
  if (isLocal && !validateHostHeader(host, localhostAllowedHostnames()).ok) throw new OriginRefused("Host not allowed");
}

/** Returns the client of a request. Some clients can send a key only as bearer token, so this is accepted, too. */
function clientOf(exchange: Exchange): ClientInfo {
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

/** Returns whether the request may run a read operation. */
function isRead(message: unknown): boolean {
  return ["tools/call", "resources/read"].includes(String(methodOf(message)));
}

function sendError(
  exchange: Exchange,
  id: unknown,
  { status, headers }: Pick<Failure, "status" | "headers">,
  { code, message, data }: ProtocolError,
): number {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  sendJson(exchange, status, { jsonrpc: "2.0", id, error }, headers);
  return status;
}

/** Returns the Markdown text of `GET /mcp`, which describes the tools. */
function guide(tools: readonly ToolDefinition[]): string {
  return [
    "# Intelligence Data Service for language-model agents",
    "",
    "Send JSON-RPC 2.0 requests to this address by POST. The transport is Streamable HTTP of the Model Context Protocol, revisions 2026-07-28 and 2025-11-25, without sessions.",
    "Send your API key as `X-Service-Key` (or `X-Api-Key`, or `Authorization: Bearer`). `?tools=all` lists one tool per read operation.",
    "",
    instructions,
    "",
    "## Tools",
    "",
    ...tools.map(({ name, description }) => `- **${name}**: ${description.split("\n").join("\n  - ")}`),
    "",
    "## Prompts",
    "",
    ...prompts.map(({ name, description }) => `- **${name}**: ${description}`),
    "",
  ].join("\n");
}

/** Returns the content of `/.well-known/mcp.json`. */
function serverCard(version: string) {
  return {
    name: serverName,
    title: "Intelligence Data Service",
    description: "Public world-event data from one typed API, as tools.",
    version,
    protocolVersions: ["2026-07-28", "2025-11-25"],
    transports: [{ type: "streamable-http", url: "/mcp" }],
    authentication: { required: false, schemes: [{ type: "apiKey", in: "header", name: "X-Service-Key" }] },
    capabilities: { tools: true, prompts: true, resources: true },
    documentation: "/docs",
  };
}

import type { Exchange } from "../http/exchange.ts";
import type { Route } from "../http/router.ts";
import type { EndpointParts } from "./endpoint.ts";
import { createToolbox } from "./toolbox.ts";

const verbs = ["POST", "GET", "HEAD"];
/** The endpoint is imported for the first agent, because the MCP library is large. */
const endpoint = () => import("./endpoint.ts");

/** Routes for AI agents, which use the reads of the API as tools. */
export function mcpRoutes(given: Omit<EndpointParts, "toolbox" | "verbs">): (readonly [string, Route])[] {
  const parts = { ...given, verbs, toolbox: createToolbox(given.reads) };
  const serve = async (exchange: Exchange) => (await endpoint()).serveMcp(exchange, parts);
  const card = async (exchange: Exchange) => (await endpoint()).sendCard(exchange);
  const cardRoute: Route = { name: "mcp-card", verbs: ["GET", "HEAD"], anonymous: false, serve: card };
  return [
    ["/mcp", { name: "mcp", verbs, anonymous: false, serve }],
    ["/.well-known/mcp", cardRoute],
    ["/.well-known/mcp.json", cardRoute],
  ];
}

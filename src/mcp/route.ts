import type { Exchange } from "../http/exchange.ts";
import type { Route } from "../http/router.ts";
import type { EndpointParts } from "./endpoint.ts";
import { createToolbox } from "./toolbox.ts";

const verbs = ["POST", "GET", "HEAD"];
/** The protocol library is large and is loaded for the first agent. */
const endpoint = () => import("./endpoint.ts");

/** Routes under which agents find the reads as tools, in either revision of the protocol. */
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

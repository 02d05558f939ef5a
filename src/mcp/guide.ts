import type { ToolDefinition } from "./operation-tool.ts";
import { prompts } from "./prompts.ts";
import { instructions, serverName } from "./server.ts";

/** What `GET /mcp` tells beside the card, in Markdown. */
export function guide(tools: readonly ToolDefinition[]): string {
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

/** `/.well-known/mcp.json`: what a client needs to know before it connects. */
export function serverCard(version: string) {
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

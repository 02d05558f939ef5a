// A client of a language-model agent connects by the Model Context Protocol, lists the tools and calls one.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { IDS_URL: baseUrl = "http://localhost:8080", IDS_API_KEY: apiKey = "" } = process.env;
const client = new Client({ name: "example", version: "1.0.0" });
const requestInit = { headers: { "X-Service-Key": apiKey } };
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit }));

const { tools } = await client.listTools();
console.log(`${tools.length} tools`);

const { structuredContent } = await client.callTool({
  name: "ids_infrastructure_read",
  arguments: { operation: "list_internet_outages", jmespath: "outages[:3].title" },
});
console.log(structuredContent);
await client.close();

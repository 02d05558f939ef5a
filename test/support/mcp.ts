import type { TestApp } from "./app.ts";

/** A message of JSON-RPC as /mcp answers it. */
export interface RpcResponse {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

/** A tool as an agent sees it before a call. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
}

/** The response of a tool, if there is one. */
export interface ToolResponse {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface RpcOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** With its question mark. */
  readonly query?: string;
}

/** Posts a body to /mcp, as a client of the revision 2025-11-25 that reads plain JSON. */
export function sendMcp(
  { url }: Pick<TestApp, "url">,
  body: string | Buffer<ArrayBuffer>,
  { key, headers, query = "" }: RpcOptions = {},
) {
  return fetch(`${url}/mcp${query}`, {
    method: "POST",
    headers: {
      ...{ "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25" },
      ...(key === undefined ? {} : { "X-Service-Key": key }),
      ...headers,
    },
    body,
  });
}

/** A request's body. */
export function rpcBody(method: string, params: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

/** One request, and what it was answered. */
export async function requestMcp(
  app: Pick<TestApp, "url">,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  options: RpcOptions = {},
) {
  const response = await sendMcp(app, rpcBody(method, params), options);
  return { status: response.status, headers: response.headers, ...((await response.json()) as RpcResponse) };
}

/** One call of a tool that must be answered, be it with an error of the tool's own. */
export async function requestTool(
  app: Pick<TestApp, "url">,
  name: string,
  given: Readonly<Record<string, unknown>>,
  options: RpcOptions = {},
): Promise<ToolResponse> {
  const { result, error } = await requestMcp(app, "tools/call", { name, arguments: given }, options);
  if (!result) throw new Error(`${name} was refused: ${JSON.stringify(error)}`);
  return result as unknown as ToolResponse;
}

/** The tools as they are listed: in short, or all with `?tools=all`. */
export async function listTools(app: Pick<TestApp, "url">, query = ""): Promise<readonly ListedTool[]> {
  const { result } = await requestMcp(app, "tools/list", {}, { query });
  return (result as unknown as { tools: ListedTool[] }).tools;
}

/** The content of a resource. Fails if it is rejected. */
export async function requestResource(app: Pick<TestApp, "url">, uri: string, options: RpcOptions = {}) {
  const { result, error } = await requestMcp(app, "resources/read", { uri }, options);
  if (!result) throw new Error(`${uri} was refused: ${JSON.stringify(error)}`);
  const [held] = result.contents as readonly { uri: string; mimeType: string; text: string }[];
  return { ...held, body: JSON.parse(held?.text ?? "") };
}

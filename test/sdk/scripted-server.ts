import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An answer as it is sent; `breaks off` ends the connection, `hangs` never answers, `stalls` in the middle of its body, `breaks midway` there. */
export type Script =
  | "breaks off"
  | "stalls"
  | "breaks midway"
  | "hangs"
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

/** A real server on loopback that gives one scripted answer after another, and the last again and again. */
export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { method: string; url: string; headers: IncomingHttpHeaders; body: string }[];
}

export async function startScriptedServer(...scripts: Script[]): Promise<ScriptedServer> {
  const requests: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const script = scripts[Math.min(requests.length, scripts.length - 1)];
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    if (script === "hangs") return;
    if (script === "stalls" || script === "breaks midway") {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
      response.write('{"country":', () => script === "stalls" || request.socket.end());
      return;
    }
    if (script === undefined || script === "breaks off") {
      request.socket.destroy();
      return;
    }
    const isText = typeof script.body === "string";
    response.writeHead(script.status, {
      "Content-Type": isText ? "text/html" : "application/json",
      ...script.headers,
    });
    response.end(isText ? script.body : JSON.stringify(script.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

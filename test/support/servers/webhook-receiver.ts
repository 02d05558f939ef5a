import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** What arrived in one request. */
export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
  /** Unix epoch milliseconds. */
  readonly at: number;
}

/** How it answers: a status, with headers if need be, or never. */
export type Reply = "hangs" | number | { readonly status: number; readonly headers: Record<string, string> };

/** A server on loopback that takes deliveries. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** From now on; a function is asked at each request. */
  reply: (reply: Reply | ((received: Received) => Reply)) => void;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let reply: (received: Received) => Reply = () => 204;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const one = {
      id: String(request.headers["webhook-id"]),
      headers: request.headers,
      body,
      path: request.url ?? "",
      at: Date.now(),
    };
    received.push(one);
    const given = reply(one);
    if (given === "hangs") return;
    const { status, headers } = typeof given === "number" ? { status: given, headers: {} } : given;
    response.writeHead(status, headers).end(status === 204 ? undefined : "thanks");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    reply(next) {
      reply = typeof next === "function" ? next : () => next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

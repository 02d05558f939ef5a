import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type LiveClient, type LiveOptions, liveClient } from "../../src/upstream/live.ts";
import { network } from "../../src/upstream/network.ts";
import type { Upstream } from "../../src/upstream/upstream.ts";

/** A live upstream whose every host is one server on loopback, and what came there. */
export interface Loopback extends AsyncDisposable {
  /** Its requests are not spaced. */
  readonly upstream: Upstream;
  readonly client: LiveClient;
  readonly requests: readonly {
    readonly method: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[];
  /** Milliseconds waited between tries, none of which was really waited. */
  readonly waits: readonly number[];
}

/** The n-th request is answered by the n-th answer, later ones by the last. */
export async function startLoopback(
  responses: readonly RequestListener[],
  options: Partial<LiveOptions> = {},
): Promise<Loopback> {
  const requests: { method: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const waits: number[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", headers } = request;
    requests.push({ method, headers, body: await text(request) });
    responses[Math.min(requests.length, responses.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const direct = network();
  const client = liveClient({
    clock: () => new Date("2026-11-18T12:00:00Z"),
    variable: () => undefined,
    wait: async (milliseconds) => void waits.push(milliseconds),
    random: () => 0.5,
    transport: (_url, requested) => direct(`http://127.0.0.1:${port}/`, requested),
    ...options,
  });
  return {
    upstream: client({ pace: { spacingMs: 0 } }),
    client,
    requests,
    waits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

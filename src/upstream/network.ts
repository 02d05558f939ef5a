import { pipeline, type Readable, type Transform } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher, Response } from "undici";
import { noProxy, type ProxySettings, proxyOptions } from "../egress/proxy.ts";
import { libraries } from "../reference/libraries.ts";

/** One HTTP request. The client follows redirects itself, as further requests. */
export interface NetworkRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
  readonly signal: AbortSignal;
}

/** Sends one HTTP request. Tests replace this function. */
export type Transport = (url: string, requested: NetworkRequest) => Promise<Response>;

/** `fetch` accepts a truncated compressed body as complete. These decoders fail instead. */
const decoders = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);
const withoutBody = [204, 205, 304];

/** Creates the transport that uses the network. It rejects if no response arrives. Reading a truncated body fails. */
export function network(proxy: ProxySettings = noProxy): Transport {
  let dispatcher: Dispatcher | undefined;
  return (url, requested) => {
    dispatcher ??= new (libraries.undici().EnvHttpProxyAgent)(proxyOptions(proxy));
    return responded(url, requested, dispatcher);
  };
}

async function responded(
  url: string,
  { method, headers, body, signal }: NetworkRequest,
  dispatcher: Dispatcher,
): Promise<Response> {
  const { request, Response } = libraries.undici();
  const posted = body instanceof URLSearchParams ? { body: String(body), headers: formType } : { body, headers: {} };
  const response = await request(url, {
    dispatcher,
    method,
    headers: { "accept-encoding": "gzip, deflate, br", ...posted.headers, ...headers },
    ...(posted.body !== undefined && { body: posted.body }),
    signal,
  });
  const head = { status: response.statusCode, headers: headersOf(response.headers) };
  if (!withoutBody.includes(response.statusCode)) return new Response(decoded(response.body, head.headers), head);
  await response.body.dump();
  return new Response(null, head);
}

const formType = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };

function headersOf(responded: NodeJS.Dict<string | string[]>): [string, string][] {
  return Object.entries(responded).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
}

/** Decompresses the body. A body in an encoding that the request did not accept is returned unchanged. */
function decoded(body: Readable, headers: readonly (readonly [string, string])[]): ReadableStream {
  const [, named = ""] = headers.find(([name]) => name === "content-encoding") ?? [];
  const decoder = decoders.get(named.trim().toLowerCase());
  const plain = decoder ? pipeline(body, decoder(), () => undefined) : body;
  const chunks = plain.iterator();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // Before the first read, `iterator.return()` would leave the response open, so the stream itself is destroyed.
      cancel: () => void plain.on("error", () => undefined).destroy(),
    },
    { highWaterMark: 0 },
  );
}

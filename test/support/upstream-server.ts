import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fetch } from "undici";
import type { Transport } from "../../src/upstream/live.ts";
import { sampleUpstream } from "../../src/upstream/sample/sample.ts";

/** How the outside behaves from now on. */
export type Behaviour = "well" | "hangs" | "500" | "429" | "html" | "half a body" | "empty" | "1%" | "gone";

/** No request goes through, for this reason. */
export interface Broken {
  readonly fails: string;
}

/** A real server on loopback that stands in for every upstream, playing the sample answers or breaking them. */
export interface UpstreamServer extends AsyncDisposable {
  readonly transport: Transport;
  /** Requests since the start. */
  readonly requests: readonly UpstreamServerRequest[];
  /** From now on; with an address, only what is asked there, and everything else well. */
  behave: (behaviour: Behaviour | Broken, address?: RegExp) => void;
}

interface UpstreamServerRequest {
  readonly url: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Members that hold a list of rows; the empty name is that of the whole answer. */
const lists = [
  "",
  "annotations",
  "data",
  "Result",
  "elements",
  "features",
  "Dataset",
  "observations",
  "result",
  "items",
  "broadcast-warn",
];

/** `sources` are the sample folders whose answers are played. */
export async function startUpstreamServer(sources: readonly string[], clock: () => Date): Promise<UpstreamServer> {
  let behaviour: Behaviour = "well";
  let broken: string | undefined;
  let concerned: RegExp | undefined;
  const behaviourAt = (url: string) => (concerned?.test(url) === false ? "well" : behaviour);
  const requests: UpstreamServerRequest[] = [];
  const upstreams = sources.map((source) => sampleUpstream(source, clock));
  const server = createServer(async (request, response) => {
    const original = String(request.headers["x-original-url"]);
    requests.push({ url: original, host: new URL(original).host, headers: request.headers });
    let body = "";
    for await (const chunk of request) body += chunk;
    const posted = request.method === "POST" ? postedOf(body) : {};
    for (const upstream of upstreams) {
      const text = await upstream.text({ url: original, ...posted }).catch(() => undefined);
      if (text !== undefined) return answer(response, behaviourAt(original), text);
    }
    response.writeHead(404).end();
  });
  const closedPort = await portOfNobody();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    transport(url, init) {
      if (broken !== undefined) return Promise.reject(new TypeError("fetch failed", { cause: new Error(broken) }));
      if (behaviourAt(url) === "gone") return fetch(`http://127.0.0.1:${closedPort}/`, init);
      return fetch(`http://127.0.0.1:${port}/`, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), "x-original-url": url },
      });
    },
    behave(next, address) {
      broken = typeof next === "string" ? undefined : next.fails;
      if (typeof next === "string") behaviour = next;
      concerned = address;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function postedOf(body: string) {
  return body.startsWith("{") ? { body: JSON.parse(body) } : { form: Object.fromEntries(new URLSearchParams(body)) };
}

function answer(response: ServerResponse, behaviour: Behaviour, text: string): void {
  switch (behaviour) {
    case "hangs":
      return;
    case "500":
      response.writeHead(500).end("broken");
      return;
    case "429":
      response.writeHead(429, { "Retry-After": "7" }).end();
      return;
    case "html":
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<html><body>Please enable JavaScript</body></html>");
      return;
    case "half a body":
      response.writeHead(200, { "Content-Type": typeOf(text), "Content-Length": String(Buffer.byteLength(text)) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    case "empty":
      response.setHeader("Content-Type", typeOf(text)).end(cut(text, 0));
      return;
    case "1%":
      response.setHeader("Content-Type", typeOf(text)).end(cut(text, 0.01));
      return;
    default:
      response.setHeader("Content-Type", typeOf(text)).end(text);
  }
}

function typeOf(text: string): string {
  return text.trimStart().startsWith("<") ? "text/html" : "application/json";
}

/** The same answer with only a share of each list's rows, or of its text where it is no JSON. */
function cut(text: string, share: number): string {
  if (!/^\s*[[{]/.test(text)) return text.slice(0, text.length * share);
  const whole = JSON.parse(text);
  // The World Bank's envelope: what is told of the page, then its rows.
  if (Array.isArray(whole) && Array.isArray(whole[1]))
    return JSON.stringify([whole[0], whole[1].slice(0, shortened(whole[1].length, share))]);
  // The SEC's register: rows by their places.
  if (!Array.isArray(whole) && Object.keys(whole).every((key) => /^\d+$/.test(key)))
    return JSON.stringify(firstMembers(whole, share));
  // The IMF's DataMapper: countries by code, within the one series.
  if (whole.values && whole.api) return JSON.stringify({ ...whole, values: cutCountries(whole.values, share) });
  // JSON-stat: cells by their numbers.
  if (whole.class === "dataset") return JSON.stringify({ ...whole, value: firstMembers(whole.value, share) });
  return JSON.stringify(whole, (key, value) =>
    lists.includes(key) && Array.isArray(value) ? value.slice(0, shortened(value.length, share)) : value,
  );
}

function cutCountries(values: Readonly<Record<string, object | null>>, share: number): object {
  return Object.fromEntries(
    Object.entries(values).map(([series, told]) => [series, told && firstMembers(told, share)]),
  );
}

function firstMembers(whole: object, share: number): object {
  const members = Object.entries(whole);
  return Object.fromEntries(members.slice(0, shortened(members.length, share)));
}

/** A list of one is cut away: there is no less of it. */
function shortened(length: number, share: number): number {
  return length === 1 ? 0 : Math.ceil(length * share);
}

/** A port that nothing listens on: a connection to it is refused at once. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

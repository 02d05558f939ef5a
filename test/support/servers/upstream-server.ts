import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { network, type Transport } from "../../../src/upstream/network.ts";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import type { Upstream, UpstreamRequest } from "../../../src/upstream/upstream.ts";

/** How the outside behaves from now on. */
export type Behavior = "well" | "hangs" | "500" | "429" | "html" | "half a body" | "empty" | "1%" | "gone";

/** No request goes through, for this reason. */
export interface Broken {
  readonly fails: string;
}

/** A real server on loopback that replaces every upstream, playing the sample responses or breaking them. */
export interface UpstreamServer extends AsyncDisposable {
  readonly transport: Transport;
  /** Addresses that were asked since it last began to behave differently, whether or not a request came through. */
  readonly requested: readonly string[];
  /** Requests since the start. */
  readonly requests: readonly UpstreamServerRequest[];
  /** Whose answers are played where several have one for a request. */
  prefer: (sources: readonly string[]) => void;
  /** From now on; with an address, only what is asked there, and everything else well. */
  behave: (behavior: Behavior | Broken, address?: RegExp) => void;
}

interface UpstreamServerRequest {
  readonly url: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** `sources` are the sample folders whose answers are played. */
export async function startUpstreamServer(sources: readonly string[], clock: () => Date): Promise<UpstreamServer> {
  let behavior: Behavior = "well";
  let broken: string | undefined;
  let concerned: RegExp | undefined;
  const behaviorAt = (url: string) => (concerned?.test(url) === false ? "well" : behavior);
  const requested: string[] = [];
  const requests: UpstreamServerRequest[] = [];
  let preferred: readonly string[] = [];
  const stored = new Map<string, Promise<string | undefined>>();
  /** Each answer is made once for each moment: those who ask have little time. */
  const played = (request: UpstreamRequest) => {
    const key = JSON.stringify([request, clock(), preferred]);
    const inOrder = [...new Set([...preferred, ...sources])].map((source) => sampleUpstream(source, clock));
    const known = stored.get(key) ?? firstResponse(inOrder, request);
    stored.set(key, known);
    return known;
  };
  const server = createServer(async (request, response) => {
    const original = String(request.headers["x-original-url"]);
    requests.push({ url: original, host: new URL(original).host, headers: request.headers });
    let body = "";
    for await (const chunk of request) body += chunk;
    const posted = request.method === "POST" ? postedOf(body) : {};
    const text = await played({ url: original, ...posted });
    if (text === undefined) response.writeHead(404).end();
    else answer(response, behaviorAt(original), text);
  });
  const closedPort = await unusedPort();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const direct = network();
  return {
    requested,
    requests,
    transport(url, init) {
      requested.push(url);
      if (broken !== undefined) return Promise.reject(new Error(broken));
      if (behaviorAt(url) === "gone") return direct(`http://127.0.0.1:${closedPort}/`, init);
      return direct(`http://127.0.0.1:${port}/`, {
        ...init,
        headers: { ...init.headers, "x-original-url": url },
      });
    },
    prefer(next) {
      preferred = next;
    },
    behave(next, address) {
      requested.length = 0;
      broken = typeof next === "string" ? undefined : next.fails;
      if (typeof next === "string") behavior = next;
      concerned = address;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function firstResponse(upstreams: readonly Upstream[], request: UpstreamRequest): Promise<string | undefined> {
  for (const upstream of upstreams) {
    const text = await upstream.text(request).catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

function postedOf(body: string) {
  return body.startsWith("{") ? { body: JSON.parse(body) } : { form: Object.fromEntries(new URLSearchParams(body)) };
}

function answer(response: ServerResponse, behavior: Behavior, text: string): void {
  switch (behavior) {
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

/** The same response with only a share of its rows, or of its text if it isn't JSON. */
function cut(text: string, share: number): string {
  if (!/^\s*[[{]/.test(text)) return text.slice(0, text.length * share);
  const whole = JSON.parse(text);
  const places = placesOfRows(whole, "");
  const max = Math.max(0, ...places.map(({ size }) => size));
  const rows = new Set(places.filter(({ size }) => size === max).map(({ place }) => place));
  return JSON.stringify(shortenedAt(whole, "", rows, share));
}

/** Everything that may hold rows: lists, and objects whose members are all objects or all numbers. */
function placesOfRows(value: unknown, place: string): { place: string; size: number }[] {
  if (typeof value !== "object" || value === null) return [];
  const members = Object.values(value);
  const kinds = new Set(members.filter((member) => member !== null).map((member) => typeof member));
  const isRows = Array.isArray(value) || (kinds.size === 1 && !kinds.has("string"));
  const inside = Object.entries(value).flatMap(([name, member]) => placesOfRows(member, below(value, place, name)));
  return isRows ? [{ place, size: members.length }, ...inside] : inside;
}

function shortenedAt(value: unknown, place: string, rows: ReadonlySet<string>, share: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    shortenedAt(member, below(value, place, name), rows, share),
  ]);
  const isCut = rows.has(place) || (Array.isArray(value) && members.length === 1);
  const stored = isCut ? members.slice(0, shortened(members.length, share)) : members;
  return Array.isArray(value) ? stored.map(([, member]) => member) : Object.fromEntries(stored);
}

/** The items of a list are in one place. */
function below(parent: object, place: string, name: string): string {
  return `${place}/${Array.isArray(parent) ? "*" : name}`;
}

/** A short list is cut away: one row of it might do. */
function shortened(length: number, share: number): number {
  return length < 10 ? 0 : Math.ceil(length * share);
}

/** A port that nothing listens on: a connection to it is refused at once. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { LoadRequest } from "./measure.ts";
import { onCore } from "./tools.ts";

/** All servers of the benchmark. Each is a process that is pinned to the first core. */
export interface Servers extends AsyncDisposable {
  readonly requestOf: (target: string) => LoadRequest;
}

const listPath = "/api/infrastructure/v1/list-internet-outages";
const bodyBytes = 10_240;
const listRows = 50;
const readyWithinMs = 60_000;
const loadedWithinMs = 300_000;

/** Response of the reference servers: the bytes and the static headers of our response. */
export interface Fixture {
  readonly body: string;
  readonly headers: readonly string[];
}

export async function startServers(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), "ids-bench-"));
  const processes: ChildProcess[] = [];
  const start = async (command: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const port = await freePort();
    const [program, ...options] = onCore(0, command);
    const child = spawn(program, options, {
      env: { ...process.env, PORT: String(port), ...environment },
      stdio: ["ignore", "ignore", "inherit"],
    });
    processes.push(child);
    if (child.pid === undefined) throw new Error(`${program} did not start`);
    return { url: `http://127.0.0.1:${port}`, pid: child.pid };
  };
  const ours = await start(["bin/ids", "serve"], {
    IDS_DATA: "sample",
    IDS_DATA_DIR: folder,
    IDS_PLAN_LIMITS: "enterprise=999999999",
    IDS_LOG_LEVEL: "warn",
  });
  const key = await demoKey(folder);
  const headers = { "X-Service-Key": key };
  await loaded(ours.url);
  const outages = await listed(`${ours.url}${listPath}`, headers);
  const preparedUrl = `${ours.url}${listPath}?start=${startFor(outages, jsonLengths(outages), bodyBytes)}`;
  const [, ...lines] = (await (await ready(`${ours.url}${listPath}?format=csv`, headers)).text()).split("\r\n");
  const csvStart = startFor(
    outages,
    lines.map(({ length }) => length),
    bodyBytes,
  );
  const response = await fetch(preparedUrl, { headers });
  const etag = response.headers.get("etag") ?? "";
  const fixture = join(folder, "fixture.json");
  await writeFile(
    fixture,
    JSON.stringify({ body: await response.text(), headers: staticHeaders(response) } satisfies Fixture),
  );
  const bare = await start([process.execPath, "bench/servers/bare.ts", fixture]);
  const fastify = await start([process.execPath, "bench/servers/fastify.ts", fixture]);
  const connect = await start([process.execPath, "bench/servers/connect.ts", fixture]);
  const from = outages[listRows - 1]?.detectedAt ?? 0;
  const requests: Readonly<Record<string, LoadRequest>> = {
    bare: { ...bare, headers },
    prepared: { ...ours, url: preparedUrl, headers },
    notModified: { ...ours, url: preparedUrl, headers: { ...headers, "If-None-Match": etag } },
    csv: { ...ours, url: `${ours.url}${listPath}?format=csv&start=${csvStart}`, headers },
    gzip: { ...ours, url: preparedUrl, headers: { ...headers, "Accept-Encoding": "gzip" } },
    uncached: {
      ...ours,
      headers,
      script: await script(folder, "uncached", `"GET", "${listPath}?start=${from}&end=" .. (4102444800000 + n)`),
    },
    connect: {
      ...connect,
      headers: { "Content-Type": "application/json" },
      script: await script(
        folder,
        "connect",
        `"POST", "/ids.infrastructure.v1.InfrastructureService/ListInternetOutages", wrk.headers, "{}"`,
      ),
    },
    fastify: { ...fastify, headers },
    checked: { ...fastify, url: `${fastify.url}/checked?start=1&page_size=50`, headers },
  };
  for (const { url } of [bare, fastify, connect]) await ready(url, {});
  return {
    requestOf(target) {
      const request = requests[target];
      if (!request) throw new Error(`No server for ${target}`);
      return request;
    },
    async [Symbol.asyncDispose]() {
      for (const child of processes) child.kill();
      await wait(500);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function script(folder: string, name: string, request: string): Promise<string> {
  const file = join(folder, `${name}.lua`);
  await writeFile(file, `local n = 0\nfunction request()\n  n = n + 1\n  return wrk.format(${request})\nend\n`);
  return file;
}

interface Listed {
  readonly detectedAt: number;
}

async function listed(url: string, headers: Readonly<Record<string, string>>): Promise<readonly Listed[]> {
  const response = await ready(url, headers);
  const { outages } = (await response.json()) as { outages: Listed[] };
  if (outages.length <= listRows) throw new Error(`The sample has only ${outages.length} outages`);
  return outages;
}

/** Returns the start time whose response is closest to the wanted size. */
function startFor(outages: readonly Listed[], lengths: readonly number[], bytes: number): number {
  let length = 0;
  for (const [index, outage] of outages.entries()) {
    length += lengths[index] ?? 0;
    if (length >= bytes) return outage.detectedAt;
  }
  return 0;
}

function jsonLengths(outages: readonly Listed[]): number[] {
  return outages.map((outage) => JSON.stringify(outage).length + 1);
}

interface DatasetList {
  readonly datasets: readonly { readonly name: string; readonly sources: readonly { readonly state: string }[] }[];
}

/** Waits for the first load of all datasets, because it would use the measured core. */
async function loaded(url: string): Promise<void> {
  const deadline = Date.now() + loadedWithinMs;
  for (;;) {
    const { datasets } = (await (await ready(`${url}/api/catalog/v1/list-datasets`, {})).json()) as DatasetList;
    const missing = datasets
      .filter(({ sources }) => sources.some(({ state }) => state === "waiting"))
      .map(({ name }) => name);
    if (datasets.length > 0 && missing.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Not loaded in time: ${missing.join(", ")}`);
    await wait(500);
  }
}

/** Returns the headers except those that differ between requests and those that node:http adds. */
function staticHeaders(response: Response): string[] {
  const changing = /^(x-request-id|x-ratelimit-.*|ratelimit.*|date|connection|keep-alive)$/;
  return [...response.headers].filter(([name]) => !changing.test(name)).flat();
}

async function ready(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    const response = await fetch(url, { headers }).catch(() => undefined);
    if (response && (response.ok || response.status === 404)) return response;
    if (Date.now() > deadline) throw new Error(`${url} is not ready: ${response?.status}`);
    await wait(100);
  }
}

async function demoKey(folder: string): Promise<string> {
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    const text = await readFile(join(folder, "demo-keys.json"), "utf8").catch(() => "");
    if (text !== "") return JSON.parse(text).enterprise;
    if (Date.now() > deadline) throw new Error("The service wrote no demo keys");
    await wait(100);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

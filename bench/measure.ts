import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { processorMs } from "./processor-time.ts";
import { onCore } from "./tools.ts";

/** One kind of request that wrk sends. */
export interface LoadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Process id of the server. */
  readonly pid: number;
  /** Lua script that makes each request different. */
  readonly script?: string;
}

const run = promisify(execFile);

/** Result of one slice. */
export interface Slice {
  readonly requestsPerSecond: number;
  /** Processor time of the server per request, in microseconds, over all threads. */
  readonly processorUs: number;
}

/** Measures every kind in alternating slices, so that a change in the machine's speed affects all kinds equally. */
export async function measure(requests: readonly LoadRequest[], slices: number, seconds: number): Promise<Slice[][]> {
  const measured: Slice[][] = requests.map(() => []);
  for (const request of requests) await load(request, 2);
  for (let slice = 0; slice < slices; slice++)
    for (const [index, request] of requests.entries()) measured[index]?.push(await load(request, seconds));
  return measured;
}

async function load({ url, headers, script, pid }: LoadRequest, seconds: number): Promise<Slice> {
  const named = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const lua = script ? ["-s", script] : [];
  const wrk = ["wrk", "-t1", "-c16", `-d${seconds}s`, ...named, ...lua, url];
  const [command, ...options] = onCore(1, wrk);
  const before = processorMs(pid);
  const { stdout } = await run(command, options);
  const used = processorMs(pid) - before;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Not every request to ${url} succeeded:\n${stdout}`);
  const rate = Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
  const count = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  if (!(rate > 0 && count > 0)) throw new Error(`wrk said something unexpected:\n${stdout}`);
  return { requestsPerSecond: rate, processorUs: (used * 1000) / count };
}

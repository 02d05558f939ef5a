import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { processorMs } from "./processor-time.ts";
import { onCore } from "./tools.ts";

/** One kind of request, as wrk sends it. */
export interface LoadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The server's process. */
  readonly pid: number;
  /** Lua that makes each request differ from the last. */
  readonly script?: string;
}

const run = promisify(execFile);

/** What one slice came to. */
export interface Slice {
  readonly requestsPerSecond: number;
  /** Processor microseconds of the server, in all its threads, for each request. */
  readonly processorUs: number;
}

/** Each kind, slice by slice: one slice of every kind in turn, so that a drifting machine hits all alike. */
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

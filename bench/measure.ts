import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** One kind of request, as wrk sends it. */
export interface LoadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Lua that makes each request differ from the last. */
  readonly script?: string;
}

const run = promisify(execFile);

/** Requests per second of each kind, slice by slice: one slice of every kind in turn, so that a drifting machine hits all alike. */
export async function measure(requests: readonly LoadRequest[], slices: number, seconds: number): Promise<number[][]> {
  const rates: number[][] = requests.map(() => []);
  for (const request of requests) await load(request, 2);
  for (let slice = 0; slice < slices; slice++)
    for (const [index, request] of requests.entries()) rates[index]?.push(await load(request, seconds));
  return rates;
}

async function load({ url, headers, script }: LoadRequest, seconds: number): Promise<number> {
  const named = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const lua = script ? ["-s", script] : [];
  const wrk = ["wrk", "-t1", "-c16", `-d${seconds}s`, ...named, ...lua, url];
  const { stdout } = await run("taskset", ["-c", "1", ...wrk]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Not every request to ${url} succeeded:\n${stdout}`);
  const rate = Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
  if (!Number.isFinite(rate)) throw new Error(`wrk said something unexpected:\n${stdout}`);
  return rate;
}

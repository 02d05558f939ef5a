import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** `ids serve` as a process of its own. */
export interface ServeProcess extends AsyncDisposable {
  readonly url: string;
  readonly startedAt: number;
  readonly process: ChildProcess;
  /** Resident memory now, in MB. */
  readonly residentMb: () => Promise<number>;
  /** Milliseconds from the start to the first 200 of a path. */
  readonly firstSuccess: (path: string) => Promise<number>;
  /** The log until now. */
  readonly logged: () => string;
  /** Ends it in order; milliseconds that took. */
  readonly stop: () => Promise<number>;
}

/** Which program, and where. */
export interface ServeProcessPlace {
  /** `bin/ids` of another checkout. */
  readonly program?: string;
  readonly port?: number;
}

const ownProgram = fileURLToPath(new URL("../../../bin/ids", import.meta.url));
const timeoutMs = 60_000;

export async function startServeProcess(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  { program = ownProgram, port: given }: ServeProcessPlace = {},
): Promise<ServeProcess> {
  const port = given ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(program, ["serve", ...flags], {
    env: {
      ...{ PATH: process.env.PATH, IDS_DATA: "sample", IDS_LOG_LEVEL: "error", PORT: String(port) },
      ...{ IDS_SECRET_KEY: "5e".repeat(32), ...environment },
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
    process.stderr.write(text);
  });
  const ended = once(child, "exit");
  const stop = async () => {
    const requested = performance.now();
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    return performance.now() - requested;
  };
  return {
    url,
    startedAt,
    process: child,
    stop,
    logged: () => log,
    async residentMb() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    async firstSuccess(path) {
      while (performance.now() - startedAt < timeoutMs) {
        if (child.exitCode !== null) throw new Error(`ids serve ended with ${child.exitCode}`);
        const response = await fetch(url + path).catch(() => undefined);
        if (response?.ok) return performance.now() - startedAt;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`${path} was not served within ${timeoutMs} ms`);
    },
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

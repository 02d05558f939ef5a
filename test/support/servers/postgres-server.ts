import { execFile } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A Postgres of the test's own, which can be stopped and started again. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** At once, as a machine that fails. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** All its processes stand still, and their connections stay open, until it is resumed. */
  readonly pause: () => void;
  /** Makes a standby the primary. */
  readonly promote: () => Promise<void>;
  readonly resume: () => void;
}

const run = promisify(execFile);
/** The folder of the server's programs: Debian keeps them out of PATH; the newest version wins. */
export const postgresPrograms = globSync("/usr/lib/postgresql/*/bin")
  .filter((folder) => existsSync(join(folder, "initdb")))
  .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
  .at(-1);

/** Whether this machine has one; said aloud where it has none. */
export const hasPostgres = postgresPrograms !== undefined;
if (!hasPostgres) console.warn("No Postgres on this machine: TESTS THAT STOP IT ARE SKIPPED");

/** `settings` of the server, such as `shared_buffers=1GB`. */
export function startPostgres(...settings: readonly string[]): Promise<PostgresServer> {
  return startServer(settings, ["initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]);
}

/** One that follows the primary on this port of the machine. */
export function startStandby(primaryPort: number, ...settings: readonly string[]): Promise<PostgresServer> {
  const source = ["-h", "127.0.0.1", "-p", `${primaryPort}`, "-U", "postgres"];
  return startServer(settings, ["pg_basebackup", ...source, "-R", "-X", "stream", "-c", "fast"]);
}

/** `make` is the command that makes its data folder. */
async function startServer(
  settings: readonly string[],
  [maker = "", ...args]: readonly string[],
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "ids-own-pg-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  // The server refuses to run as root.
  if (isRoot) {
    const { stdout } = await run("id", ["-u", "postgres"]);
    chownSync(folder, Number(stdout), statSync(folder).gid);
  }
  const postgres = (program: string, ...args: string[]) => {
    const command = [join(postgresPrograms ?? "", program), ...args];
    const [file = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    return run(file, rest, { cwd: folder });
  };
  await postgres(maker, "-D", data, ...args);
  const start = async () => {
    const given = ["listen_addresses=", "fsync=off", ...settings].map((setting) => `-c ${setting}`);
    const options = `-k ${folder} ${given.join(" ")}`;
    await postgres("pg_ctl", "-D", data, "-l", join(data, "log"), "-s", "-w", "start", "-o", options);
  };
  const stop = async () => {
    await postgres("pg_ctl", "-D", data, "-m", "immediate", "-s", "stop");
  };
  const signal = (name: "SIGSTOP" | "SIGCONT") => {
    const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    for (const each of [pid, ...children])
      try {
        process.kill(Number(each), name);
      } catch (error) {
        // A server process that served one connection may have ended in the meantime.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
  };
  await start();
  return {
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    url: `postgres:///postgres?host=${folder}&user=postgres`,
    start,
    stop,
    async promote() {
      await postgres("pg_ctl", "-D", data, "-s", "-w", "promote");
    },
    async [Symbol.asyncDispose]() {
      // One that a test has stopped has no file of its process.
      if (existsSync(join(data, "postmaster.pid"))) signal("SIGCONT");
      await stop().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

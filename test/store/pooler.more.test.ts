import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { eventually } from "../support/app.ts";
import { freePort } from "../support/processes/serve-process.ts";
import { hasPostgres, startPostgres } from "../support/servers/postgres-server.ts";

const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;
if (!hasPooler) console.warn("No pgbouncer on this machine: TESTS WITH A POOLER ARE SKIPPED");
const ignored =
  "ignore_startup_parameters=extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout";

test.skipIf(!hasPooler || !hasPostgres)(
  "a pooler that changes sessions, or refuses settings, is refused by name; one in session mode serves",
  async () => {
    const port = await freePort();
    await using server = await startPostgres("listen_addresses=127.0.0.1", `port=${port}`);
    expect(server.url).not.toBe("");
    const behind = async (...settings: string[]) => {
      await using pooler = await startPooler(port, settings);
      const database = await openDatabase({ url: pooler.url, directory: tmpdir(), name: "test" });
      await database.close();
    };
    await expect(behind("pool_mode=transaction", ignored)).rejects.toThrow(/changes sessions between transactions/);
    await expect(behind("pool_mode=session")).rejects.toThrow(/rejects settings.*ignore_startup_parameters/);
    await expect(behind("pool_mode=session", ignored)).resolves.toBeUndefined();
  },
  60_000,
);

async function startPooler(server: number, settings: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "ids-pooler-"));
  const port = await freePort();
  const file = join(folder, "pooler.ini");
  const own = ["[pgbouncer]", "listen_addr=127.0.0.1", `listen_port=${port}`, "unix_socket_dir=", "auth_type=any"];
  writeFileSync(
    file,
    ["[databases]", `* = host=127.0.0.1 port=${server} user=postgres`, ...own, ...settings].join("\n"),
  );
  const isRoot = process.getuid?.() === 0;
  // It refuses to run as root.
  if (isRoot) spawnSync("chown", ["-R", "postgres", folder]);
  const [program = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", "pgbouncer", file] : ["pgbouncer", file];
  const child = spawn(program, rest, { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  await eventually(
    async () => log,
    (text) => text.includes("process up"),
  );
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { postgresPrograms } from "../servers/postgres-server.ts";
import type { Host } from "./network.ts";

/** A Postgres on a host and a small disk of its own. */
export interface DatabaseHost extends AsyncDisposable {
  readonly host: Host;
  /** Host and port, as a URL names them. */
  readonly place: string;
  readonly query: <Row extends object>(statement: string) => Promise<Row[]>;
  /** Begins with an empty database, or as a standby of another. */
  readonly create: (primary?: DatabaseHost) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly isRunning: () => boolean;
  readonly promote: () => Promise<void>;
  /** Each commit waits for a standby from now on, or none does. */
  readonly synchronize: (isSynchronous: boolean) => Promise<void>;
  /** Takes the room on its disk but for less than a segment of the log, until it is given back. */
  readonly fillDisk: () => void;
  readonly clearDisk: () => void;
}

const port = 5432;
const diskSize = "1g";
const spareBytes = 8 * 2 ** 20;
const settings = [
  ...["listen_addresses=*", `port=${port}`, "max_connections=200", "fsync=off", "hot_standby_feedback=on"],
  ...["log_min_messages=panic", "min_wal_size=32MB", "max_wal_size=128MB"],
  // As docs/high-availability.md says: commits wait for the standby, which else asks once in 5 s.
  "wal_retrieve_retry_interval=200ms",
  // A standby that was away finds what it lacks.
  "wal_keep_size=256MB",
  // A log that is shorter is sent sooner over a network that loses packets.
  "wal_compression=lz4",
];

export function openDatabaseHost(host: Host, folder: string): DatabaseHost {
  const data = join(folder, "data");
  const ballast = join(folder, "ballast");
  const user = Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }));
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskSize}`, "tmpfs", folder]);
  chownSync(folder, user, 0);
  const postgres = (program: string, ...args: readonly string[]) => {
    const as = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"];
    const command = [...as, join(postgresPrograms ?? "", program), "-D", data, ...args];
    return host.start(command, { cwd: folder, stdio: ["ignore", "ignore", "ignore"] });
  };
  const finish = async (program: string, ...args: readonly string[]) => {
    const [status] = await once(postgres(program, ...args), "exit");
    if (status !== 0) throw new Error(`${program} ended with ${status}`);
  };
  const query = async <Row extends object>(statement: string) => {
    const client = new Client({ host: host.address, port, user: "postgres", connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<Row>(statement)).rows;
    } finally {
      void client.end().catch(() => {});
    }
  };
  let isRunning = false;
  return {
    ...{ host, query, place: `${host.address}:${port}`, isRunning: () => isRunning },
    async create(primary) {
      await host.kill();
      rmSync(data, { recursive: true, force: true });
      if (primary)
        return finish(
          "pg_basebackup",
          ...["-h", primary.host.address, "-p", `${port}`, "-U", "postgres", "-R", "-X", "stream", "-c", "fast"],
        );
      await finish("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync");
      appendFileSync(join(data, "pg_hba.conf"), "host all all samenet trust\nhost replication all samenet trust\n");
    },
    async start() {
      rmSync(join(data, "postmaster.pid"), { force: true });
      const given = [`unix_socket_directories=${folder}`, ...settings].flatMap((setting) => ["-c", setting]);
      const server = postgres("postgres", ...given);
      isRunning = true;
      server.once("exit", () => {
        isRunning = false;
      });
      for (let tries = 0; ; tries += 1)
        try {
          return void (await query("select 1"));
        } catch (error) {
          if (!isRunning || tries > 300) throw error;
          await wait(50);
        }
    },
    async promote() {
      await query("select pg_promote(true, 30)");
    },
    async synchronize(isSynchronous) {
      await query(`alter system set synchronous_standby_names = '${isSynchronous ? "*" : ""}'`);
      await query("select pg_reload_conf()");
    },
    fillDisk() {
      const { bavail, bsize } = statfsSync(folder);
      execFileSync("fallocate", ["-l", `${bavail * bsize - spareBytes}`, ballast]);
    },
    clearDisk: () => rmSync(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      await host.kill();
      execFileSync("umount", [folder]);
    },
  };
}

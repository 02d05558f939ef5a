import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig, Pool } from "pg";
import { hourMs } from "../reference/duration.ts";
import { Connection } from "./connection.ts";
import { type Hosts, hostsOf, meansPrimary } from "./host-list.ts";
import { type Host, type HostStatus, hostStatusOf, isLeftBehind, leaderOf } from "./host-status.ts";

type Log = (message: string) => void;

/** Detects that an old primary is reachable again after another host was promoted. It then accepts connections too. */
interface PrimaryWatch {
  /** Closes the connection, even within a transaction, if it leads to an outdated primary. */
  readonly follow: (connection: Client, log: Log) => void;
}

const lookEveryMs = 2_000;
/** Timeout for connecting to a host and for the check of its status. */
const responseTimeoutMs = 1_500;

/** The watches by database URL, which pools and listeners with the same URL share. */
const watches = new Map<string, PrimaryWatch>();

/** Returns the watch for a database URL. Undefined if the URL does not select a primary among several hosts. */
function primaryWatch(config: ClientConfig): PrimaryWatch | undefined {
  const { connectionString = "" } = config;
  const hosts = hostsOf(connectionString);
  if (!hosts || hosts.addresses.length < 2 || !meansPrimary(hosts.wanted)) return undefined;
  const watch = watches.get(connectionString) ?? createWatch(hosts, config);
  watches.set(connectionString, watch);
  return watch;
}

function createWatch({ addresses }: Hosts, config: ClientConfig): PrimaryWatch {
  const followed = new Map<Client, Log>();
  const reported = new Set<string>();
  let looking: AbortController | undefined;
  return {
    follow(connection, log) {
      followed.set(connection, log);
      connection.once("end", () => {
        followed.delete(connection);
        if (followed.size > 0) return;
        looking?.abort();
        looking = undefined;
      });
      if (looking) return;
      looking = new AbortController();
      void look(looking.signal);
    },
  };

  async function look(signal: AbortSignal): Promise<void> {
    const probes = addresses.map((address) => openProbe({ ...config, connectionString: address }));
    const options = { signal, ref: false };
    while (await delay(lookEveryMs, true, options).catch(() => false)) {
      const responses = await Promise.all(probes.map(({ call }) => call()));
      const statuses = responses.filter((response) => response !== undefined);
      const leader = leaderOf(statuses);
      for (const each of statuses) if (leader && isLeftBehind(each, leader)) giveUp(each, leader);
    }
    for (const { close } of probes) close();
  }

  function giveUp(behind: HostStatus, leader: HostStatus): void {
    report(
      `A second primary answers at ${nameOf(behind.at)}, on timeline ${behind.timeline}, while ${nameOf(leader.at)} is on timeline ` +
        `${leader.timeline}: it is no longer used. Fence it: data that is written to it is lost.`,
    );
    for (const connection of followed.keys())
      if (nameOf(connection) === nameOf(behind.at)) connection.connection.stream.destroy();
  }

  function report(message: string): void {
    const [log] = followed.values();
    if (!log || reported.has(message)) return;
    reported.add(message);
    log(message);
  }
}

function nameOf({ host, port }: Host): string {
  return `${host}:${port}`;
}

interface Probe {
  /** Resolves to undefined if the host does not respond in time. */
  readonly call: () => Promise<HostStatus | undefined>;
  readonly close: () => void;
}

function openProbe(config: ClientConfig): Probe {
  let client: Client | undefined;
  const close = () => {
    void client?.end().catch(() => {});
    client = undefined;
  };
  const connect = async () => {
    client = new Client({ ...config, connectionTimeoutMillis: responseTimeoutMs, query_timeout: responseTimeoutMs });
    // The error of a lost connection is ignored here, because the next statement detects it.
    client.on("error", () => {});
    await client.connect();
    const { stream } = client.connection;
    if (stream instanceof Socket) stream.unref();
    return client;
  };
  return {
    async call() {
      try {
        return await hostStatusOf(client ?? (await connect()));
      } catch {
        close();
        return undefined;
      }
    },
    close,
  };
}

/** Serializable connection settings, so that another thread can open its own connections. */
export interface ConnectionSettings {
  readonly kind: "postgres" | "embedded";
  /** URL of Postgres, or folder of the embedded database's Unix socket. */
  readonly address: string;
}

/** Timeouts of statements in milliseconds, enforced by this process. */
export interface StatementLimits {
  readonly postgres: number;
  readonly embedded: number;
}

/** Statement timeouts of requests. Even with several statements, they keep a response within 10 s. */
export const servingLimits: StatementLimits = { postgres: 4_000, embedded: 8_000 };
/** Statement timeouts of reads from a replica. Even if the primary repeats a read, a response takes at most 10 s. */
export const replicaLimits: StatementLimits = { ...servingLimits, postgres: 3_000 };
/** Statement timeouts of background work. They are a little longer than the timeout of the server. */
export const workLimits: StatementLimits = { postgres: 45_000, embedded: 90_000 };
/** Statement timeouts of migrations, which may build an index of millions of rows. */
export const migrationLimits: StatementLimits = { postgres: hourMs, embedded: hourMs };

/** Opens a pool. Lost connections are logged and replaced. */
export function openPool(
  settings: ConnectionSettings,
  options: { name: string; log: (message: string) => void; max?: number; responseTimeoutMs: number },
): Pool {
  const { name, max = 10, responseTimeoutMs } = options;
  const pool = new Pool({
    ...clientConfig(settings, name),
    Client: Connection,
    query_timeout: responseTimeoutMs,
    max,
    // A new connection to the embedded database waits for an open transaction, so idle connections stay open.
    idleTimeoutMillis: settings.kind === "embedded" ? 0 : 30_000,
  });
  pool.on("error", (error) => options.log(`An idle database connection was lost: ${error.message}`));
  const watch = watchOf(settings);
  pool.on("connect", (client) => {
    // The pool does not handle errors of a connection in use, and an unhandled error ends the process.
    client.on("error", () => {});
    watch?.follow(client, options.log);
  });
  return pool;
}

/** Returns the watch for these settings. Undefined if the URL does not select a primary among several hosts. */
export function watchOf(settings: ConnectionSettings): PrimaryWatch | undefined {
  return primaryWatch(clientConfig(settings, "ids primary watch"));
}

/** Timeout for closing a connection, because an unreachable server never confirms the close. */
export const goodbyeMs = 1_000;

export async function endWithin(connected: { readonly end: () => Promise<void> }): Promise<void> {
  await Promise.race([connected.end(), delay(goodbyeMs, undefined, { ref: false })]);
}

const planning = [
  // If a bitmap scan needs more memory than this, Postgres checks each row of the found pages again.
  "work_mem=32MB",
  // Compiling a query takes more time than the compiled query saves.
  "jit=off",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

export function clientConfig({ kind, address }: ConnectionSettings, name: string): ClientConfig {
  if (kind === "embedded")
    return {
      host: address,
      port: 5432,
      user: "postgres",
      database: "postgres",
      ssl: false,
      application_name: name,
      connectionTimeoutMillis: 8_000,
    };
  return {
    connectionString: address,
    application_name: name,
    connectionTimeoutMillis: 3000,
    statement_timeout: 30_000,
    options: planning,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  };
}

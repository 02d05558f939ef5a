import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig, Pool } from "pg";
import { hourMs } from "../reference/duration.ts";
import { Connection } from "./connection.ts";
import { type Hosts, hostsOf, meansPrimary } from "./host-list.ts";
import { type Host, type HostStatus, hostStatusOf, isLeftBehind, leaderOf } from "./host-status.ts";

type Log = (message: string) => void;

/** Looks, while connections lead to one of several hosts, for a second primary: one that came back after another was promoted. */
interface PrimaryWatch {
  /** Cuts the connection, also in the middle of a transaction, once it proves to lead to a primary that was left behind. */
  readonly follow: (connection: Client, log: Log) => void;
}

const lookEveryMs = 2_000;
/** To connect, and to a statement. */
const responseTimeoutMs = 1_500;

/** By URL: pools and listeners share the looks of one. */
const watches = new Map<string, PrimaryWatch>();

/** Undefined where the primary is not sought among several hosts. */
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
      const responses = await Promise.all(probes.map(({ call: sendRequest }) => sendRequest()));
      const statuses = responses.filter((response) => response !== undefined);
      const leader = leaderOf(statuses);
      for (const each of statuses) if (leader && isLeftBehind(each, leader)) giveUp(each, leader);
    }
    for (const { close } of probes) close();
  }

  function giveUp(behind: HostStatus, leader: HostStatus): void {
    report(
      `A second primary answers at ${nameOf(behind.at)}, on timeline ${behind.timeline}, while ${nameOf(leader.at)} is on timeline ` +
        `${leader.timeline}: it is left alone from now on. Fence it: what is written to it is lost.`,
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

/** Asks one host on a connection that it keeps. */
interface Probe {
  /** Undefined where the host does not answer in time. */
  readonly call: () => Promise<HostStatus | undefined>;
  readonly close: () => void;
}

function openProbe(config: ClientConfig): Probe {
  let stored: Client | undefined;
  const close = () => {
    void stored?.end().catch(() => {});
    stored = undefined;
  };
  const connect = async () => {
    stored = new Client({ ...config, connectionTimeoutMillis: responseTimeoutMs, query_timeout: responseTimeoutMs });
    // A lost one is found by the next statement.
    stored.on("error", () => {});
    await stored.connect();
    (stored.connection.stream as Socket).unref();
    return stored;
  };
  return {
    async call() {
      try {
        return await hostStatusOf(stored ?? (await connect()));
      } catch {
        close();
        return undefined;
      }
    },
    close,
  };
}

/** How to reach a database; plain data, so that another thread can open its own connections. */
export interface ConnectionSettings {
  readonly kind: "postgres" | "embedded";
  /** Postgres: the URL. Embedded: the folder of its Unix socket. */
  readonly address: string;
}

/** After how many milliseconds a statement is given up here, whatever the server does. */
export interface StatementLimits {
  readonly postgres: number;
  readonly embedded: number;
}

/**
 * Of requests: a caller is answered within 10 s even where several statements follow each other. The embedded database does
 * one transaction at a time, and a refresh may hold the others up.
 */
export const servingLimits: StatementLimits = { postgres: 4_000, embedded: 8_000 };
/** Of reads of a replica, which go on to the primary: a caller is answered within 10 s even then. */
export const replicaLimits: StatementLimits = { ...servingLimits, postgres: 3_000 };
/** Of work in the background: a little longer than the server itself allows a statement. */
export const workLimits: StatementLimits = { postgres: 45_000, embedded: 90_000 };
/** Of migrations, which may build an index of millions of rows. */
export const migrationLimits: StatementLimits = { postgres: hourMs, embedded: hourMs };

/** Opens a pool; a connection that dies, idle or not, is logged and replaced. */
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
    // A connection waits behind an open transaction of the embedded database, so it is worth keeping.
    idleTimeoutMillis: settings.kind === "embedded" ? 0 : 30_000,
  });
  pool.on("error", (error) => options.log(`An idle database connection was lost: ${error.message}`));
  const watch = watchOf(settings);
  pool.on("connect", (client) => {
    // The pool does not listen while a connection is checked out, and an error nobody hears ends the process.
    client.on("error", () => {});
    watch?.follow(client, options.log);
  });
  return pool;
}

/** Undefined where the primary is not sought among several hosts. */
export function watchOf(settings: ConnectionSettings): PrimaryWatch | undefined {
  return primaryWatch(clientConfig(settings, "ids primary watch"));
}

/** A server that stands still, or is gone, never says goodbye. */
export const goodbyeMs = 1_000;

/** Ends a pool or a connection; one whose peer does not answer is given up. */
export async function endWithin(connected: { readonly end: () => Promise<void> }): Promise<void> {
  await Promise.race([connected.end(), delay(goodbyeMs, undefined, { ref: false })]);
}

/** What the planner of a search over a million rows must know. */
const planning = [
  // A bitmap that does not fit is checked row by row.
  "work_mem=32MB",
  // Takes longer than what it would speed up.
  "jit=off",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

/** Settings of one connection. */
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

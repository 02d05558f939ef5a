import { type ClientConfig, Pool } from "pg";
import { Connection } from "./connection.ts";

/** How to reach a database; plain data, so that another thread can open its own connections. */
export interface ConnectionSettings {
  readonly kind: "postgres" | "embedded";
  /** Postgres: the URL. Embedded: the folder of its Unix socket. */
  readonly address: string;
}

/** Opens a pool; a connection that dies, idle or not, is logged and replaced. */
export function openPool(
  settings: ConnectionSettings,
  options: { name: string; log: (message: string) => void; max?: number; answerWithinMs?: number },
): Pool {
  const { name, max = 10, answerWithinMs } = options;
  const pool = new Pool({
    ...clientConfig(settings, name),
    Client: Connection,
    ...(answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }),
    max,
    // A connection waits behind an open transaction of the embedded database, so it is worth keeping.
    idleTimeoutMillis: settings.kind === "embedded" ? 0 : 30_000,
  });
  pool.on("error", (error) => options.log(`An idle database connection was lost: ${error.message}`));
  // The pool does not listen while a connection is checked out, and an error nobody hears ends the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Settings of one connection. */
/** What the planner of a search over a million rows must know. */
const planning = [
  // A bitmap that does not fit is checked row by row.
  "work_mem=32MB",
  // Takes longer than what it would speed up.
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
      connectionTimeoutMillis: 15_000,
    };
  return {
    connectionString: address,
    application_name: name,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    options: planning,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  };
}

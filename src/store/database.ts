import { type Dialect, Kysely, sql } from "kysely";
import { ConfigurationError } from "../errors.ts";
import { statementRecorder, type Tracing } from "../telemetry/tracing.ts";
import { rethrowDatabaseError } from "./connection-failure.ts";
import { startEmbedded } from "./embedded/embedded.ts";
import { type ConnectionSettings, endWithin, openPool, type StatementLimits, workLimits } from "./pool.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import type { Store, StoreTables } from "./tables.ts";

/** Rejects a connection pooler in transaction mode. It shares sessions between clients, so notifications are lost. */
async function requireOwnSessions(database: Store): Promise<void> {
  const [first, second] = await sessionsOfTwo(database).catch((error: unknown) => {
    throw isRejectedSetting(error)
      ? new ConfigurationError(`DATABASE_URL leads to a pooler that rejects settings: ${poolerAdvice}`, {
          cause: error,
        })
      : error;
  });
  if (first === second) throw new ConfigurationError(`DATABASE_URL ${sharedSessions}`);
}

function sessionsOfTwo(database: Store): Promise<readonly [number, number]> {
  return database.connection().execute(async (one) => {
    const first = await sessionOf(one);
    return [first, await database.connection().execute(sessionOf)];
  });
}

async function sessionOf(connection: Store): Promise<number> {
  const { rows } = await sql<{ session: number }>`select pg_backend_pid() as session`.execute(connection);
  return rows[0]?.session ?? 0;
}

function isRejectedSetting(error: unknown): boolean {
  return error instanceof Error && (error.message.includes(unsupported) || isRejectedSetting(error.cause));
}

/** PgBouncer rejects an unsupported startup parameter with this message. */
const unsupported = "unsupported startup parameter";
const poolerAdvice =
  "use PgBouncer in session mode with ignore_startup_parameters = extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout, or the address of the server itself";
const sharedSessions = `leads to a pooler that changes sessions between transactions, where notifications and locks are lost: ${poolerAdvice}`;

/** A connection to the store. If the database is unreachable, queries fail with `Unavailable`. */
export interface Database {
  readonly kind: ConnectionSettings["kind"];
  /** Serializable settings with which another thread can open the same database. */
  readonly settings: ConnectionSettings;
  readonly kysely: Store;
  readonly dialect: Dialect;
  /** Runs SQL text without the query builder. Without values, the text may contain several statements. */
  readonly query: <Row = unknown>(text: string, values?: unknown[]) => Promise<{ rows: Row[] }>;
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** URL of Postgres. Without it, the embedded database in `directory` is used. */
  readonly url?: string | undefined;
  readonly directory: string;
  /** Postgres shows this name for each connection. */
  readonly name: string;
  /** Statement timeouts. By default, the longer ones of background work apply. */
  readonly limits?: StatementLimits;
  readonly log?: (message: string) => void;
}

const oldestServer = 150_000;

/** Connects to Postgres, or starts the embedded database, which this process then owns. Does not migrate. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, directory, name, limits = workLimits, log = () => {} } = options;
  if (url !== undefined) {
    if (!/^postgres(ql)?:/.test(url)) throw new ConfigurationError("DATABASE_URL must begin with postgres:");
    const database = attachDatabase({ kind: "postgres", address: url }, { name, limits, log });
    await checkServer(database);
    return database;
  }
  const embedded = await startEmbedded(directory, log);
  const database = attachDatabase({ kind: "embedded", address: embedded.socketFolder }, { name, limits, log });
  return {
    ...database,
    async close() {
      await database.close();
      await embedded.close();
    },
  };
}

/** Opens more connections to a database that another thread of this process owns. */
export function attachDatabase(
  settings: ConnectionSettings,
  options: {
    name: string;
    limits?: StatementLimits;
    log?: (message: string) => void;
    tracing?: Tracing | undefined;
  },
): Database {
  const { name, limits = workLimits, log = () => {}, tracing } = options;
  const pool = openPool(settings, { name, log, responseTimeoutMs: limits[settings.kind] });
  const record = tracing && statementRecorder(tracing);
  const query: Database["query"] = (text, values) => pool.query(text, values).catch(rethrowDatabaseError);
  const dialect = postgresDialect(pool, record);
  return {
    kind: settings.kind,
    settings,
    kysely: new Kysely<StoreTables>({ dialect }),
    dialect,
    query: record ? (text, values) => record(text, () => query(text, values)) : query,
    async close() {
      if (!pool.ending) await endWithin(pool);
    },
  };
}

async function checkServer(database: Database): Promise<void> {
  try {
    await requireOwnSessions(database.kysely);
    const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(database.kysely);
    const version = Number(rows[0]?.server_version_num);
    if (version < oldestServer)
      throw new ConfigurationError(`DATABASE_URL: Postgres ${version} is older than ${oldestServer}`);
  } catch (error) {
    await database.close();
    throw isRejection(error) ? new ConfigurationError(`DATABASE_URL: ${error.message}`, { cause: error }) : error;
  }
}

/** Whether the URL is invalid: malformed, or the server rejects the user, the password or the database. */
function isRejection(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^(28|3D|ERR_INVALID_URL)/.test(String(error.code));
}

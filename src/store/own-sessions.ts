import { type Kysely, sql } from "kysely";
import { ConfigurationError } from "../errors.ts";
import type { StoreTables } from "./tables.ts";

/**
 * Throws where two connections that are open at once are given the same session in turn: what a pooler in transaction mode does,
 * behind which nothing is heard of notifications.
 */
export async function requireOwnSessions(database: Kysely<StoreTables>): Promise<void> {
  const [first, second] = await sessionsOfTwo(database).catch((error: unknown) => {
    throw isRefusedSetting(error)
      ? new ConfigurationError(`DATABASE_URL leads to a pooler that refuses settings: ${poolerAdvice}`, {
          cause: error,
        })
      : error;
  });
  if (first === second) throw new ConfigurationError(`DATABASE_URL ${sharedSessions}`);
}

function sessionsOfTwo(database: Kysely<StoreTables>): Promise<readonly [number, number]> {
  return database.connection().execute(async (one) => {
    const first = await sessionOf(one);
    return [first, await database.connection().execute(sessionOf)];
  });
}

async function sessionOf(connection: Kysely<StoreTables>): Promise<number> {
  const { rows } = await sql<{ session: number }>`select pg_backend_pid() as session`.execute(connection);
  return rows[0]?.session ?? 0;
}

function isRefusedSetting(error: unknown): boolean {
  return error instanceof Error && (error.message.includes(unsupported) || isRefusedSetting(error.cause));
}

/** How PgBouncer says it. */
const unsupported = "unsupported startup parameter";
const poolerAdvice =
  "use PgBouncer in session mode with ignore_startup_parameters = extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout, or the address of the server itself";
const sharedSessions = `leads to a pooler that changes sessions between transactions, where notifications and locks are lost: ${poolerAdvice}`;

import { ConfigurationError } from "../errors.ts";
import { throwReported } from "./connection-failure.ts";
import { type ConnectionSettings, endWithin, openPool } from "./pool.ts";

/**
 * Throws where two connections that are open at once are given the same session in turn: what a pooler in transaction mode does,
 * behind which nothing is heard of notifications.
 */
export async function requireOwnSessions(settings: ConnectionSettings): Promise<void> {
  const pool = openPool(settings, { name: "ids check", log: () => {}, max: 2, answerWithinMs: 4_000 });
  try {
    const clients = [await pool.connect(), await pool.connect()];
    const sessions = new Set<number>();
    for (const client of clients) {
      const { rows } = await client.query<{ session: number }>("select pg_backend_pid() as session");
      for (const { session } of rows) sessions.add(session);
    }
    for (const client of clients) client.release(true);
    if (sessions.size < clients.length) throw new ConfigurationError(`DATABASE_URL ${sharedSessions}`);
  } catch (error) {
    if (error instanceof Error && error.message.includes(unsupported))
      throw new ConfigurationError(`DATABASE_URL leads to a pooler that refuses settings: ${poolerAdvice}`, {
        cause: error,
      });
    return throwReported(error);
  } finally {
    await endWithin(pool);
  }
}

/** How PgBouncer says it. */
const unsupported = "unsupported startup parameter";
const poolerAdvice =
  "use PgBouncer in session mode with ignore_startup_parameters = extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout, or the address of the server itself";
const sharedSessions = `leads to a pooler that changes sessions between transactions, where notifications and locks are lost: ${poolerAdvice}`;

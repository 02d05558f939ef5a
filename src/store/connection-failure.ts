import { Overloaded, Unavailable } from "../errors.ts";

/**
 * Throws a database error again: as `Unavailable` if the database is unreachable, and as `Overloaded` if only all
 * connections of the pool are in use.
 */
export function rethrowDatabaseError(error: unknown): never {
  if (error instanceof Error && error.message === poolFull)
    throw new Overloaded("All connections to the database are in use", 5, { cause: error });
  if (error instanceof Error && "code" in error && error.code === readOnly)
    throw new Unavailable("The database accepts no writes now", { retryAfterSeconds: 5 });
  if (isConnectionFailure(error))
    throw new Unavailable("The database is out of reach", { cause: error, retryAfterSeconds: 5 });
  throw error;
}

/** Message of the connection pool if no connection became available in time. */
const poolFull = "timeout exceeded when trying to connect";

const systemCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);

// Connection exceptions, exhausted resources, shutdown, and timeouts of a statement, a lock or an idle transaction.
const states = /^(08...|53...|57P0.|57014|55P03|25P03)$/;

// Error code of a read-only server. After a failover, a connection may still lead to the old host, which is read-only.
const readOnly = "25006";

// Starts of messages of the database driver, for connection errors without a code.
const driverMessages =
  /^(timeout e|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end|driver has already been destroyed)/;

export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") return systemCodes.has(error.code) || states.test(error.code);
  return driverMessages.test(error.message);
}

import { Overloaded, Unavailable } from "../errors.ts";

/** Throws the error again, as `Unavailable` when it tells that the database is out of reach, as `Overloaded` when only the pool is full. */
export function throwReported(error: unknown): never {
  if (error instanceof Error && error.message === poolFull)
    throw new Overloaded("All connections to the database are in use", 5, { cause: error });
  if (error instanceof Error && "code" in error && error.code === readOnly)
    throw new Unavailable("The database takes no writes now", { retryAfterSeconds: 5 });
  if (isConnectionFailure(error))
    throw new Unavailable("The database is out of reach", { cause: error, retryAfterSeconds: 5 });
  throw error;
}

/** What the pool says of a request that waited for one of its connections in vain. */
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

// Connection exceptions, resources used up, shutdown, time-out of a statement, of a lock or of an idle transaction.
const states = /^(08...|53...|57P0.|57014|55P03|25P03)$/;

// A database that only reads: after a failover, until the writes find the new first one.
const readOnly = "25006";

// What the driver says where it gives no code.
const driverMessages =
  /^(timeout e|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end|driver has already been destroyed)/;

/** Whether an error of a driver says that its server is out of reach. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") return systemCodes.has(error.code) || states.test(error.code);
  return driverMessages.test(error.message);
}

import type { Logger } from "pino";
import { QuotasUnreadable, Unavailable } from "../errors.ts";

/** Tells the log of a failed request. What is known to be out of reach needs no stack; everything else does. */
export function logFault(log: Logger, requestId: string, route: string | undefined, error: unknown): void {
  if ((error instanceof Unavailable || error instanceof QuotasUnreadable) && error.cause === undefined)
    log.warn({ requestId, route, reason: error.message }, "unavailable");
  else log.error({ requestId, route, err: error }, "request failed");
}

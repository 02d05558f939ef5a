import type { Logger } from "pino";
import { KeysUnreadable, QuotasUnreadable, Unavailable } from "../../errors.ts";
import { quietly } from "../../log/log.ts";
import { isConnectionFailure } from "../../store/connection-failure.ts";

/** Logs failed requests, each kind once per interval. */
export interface FaultLog {
  /** Logs a failure of the service. A known outage is logged without a stack, any other error with one. */
  readonly failed: (requestId: string, operation: string | undefined, error: unknown) => void;
  /** Logs an RPC message that cannot be parsed. */
  readonly malformed: (requestId: string, protocol: string, reason: string) => void;
}

export function createFaultLog(log: Logger, now?: () => number): FaultLog {
  const turnOf = quietly(now);
  return {
    failed(requestId, operation, error) {
      const { name, message: reason } = error instanceof Error ? error : new Error(String(error));
      const unreported = turnOf(`${operation} ${name}`);
      if (unreported === undefined) return;
      const about = { requestId, operation, ...(unreported > 0 ? { unreported } : {}) };
      if (isOutOfReach(error)) log.warn({ ...about, reason }, "unavailable");
      else log.error({ ...about, err: error }, "request failed");
    },
    malformed(requestId, protocol, reason) {
      if (!log.isLevelEnabled("debug")) return;
      const unreported = turnOf(`malformed ${protocol}`);
      if (unreported !== undefined) log.debug({ requestId, protocol, reason, unreported }, "malformed message");
    },
  };
}

function isOutOfReach(error: unknown): boolean {
  const isExpected =
    error instanceof Unavailable || error instanceof QuotasUnreadable || error instanceof KeysUnreadable;
  return isExpected && (error.cause === undefined || isConnectionFailure(error.cause) || isOutOfReach(error.cause));
}

import type { Logger } from "pino";
import { KeysUnreadable, QuotasUnreadable, Unavailable } from "../../errors.ts";

/** Tells the log of failed requests: of each kind one line in a while, however many there are. */
export interface FaultLog {
  /** A failure of ours. What is known to be out of reach needs no stack; everything else does. */
  readonly failed: (requestId: string, operation: string | undefined, error: unknown) => void;
  /** A message that cannot be read, over one of the RPC protocols. */
  readonly malformed: (requestId: string, protocol: string, reason: string) => void;
}

/** Protects the log: whoever can make a request fail can do so often. */
const quietMs = 1_000;

export function createFaultLog(log: Logger, now: () => number = () => performance.now()): FaultLog {
  const kinds = new Map<string, { quietUntil: number; unreported: number }>();

  /** How many of a kind were not told since the last line; undefined while it is quiet. */
  const turnOf = (kind: string): number | undefined => {
    const at = now();
    const known = kinds.get(kind);
    if (known && at < known.quietUntil) {
      known.unreported += 1;
      return undefined;
    }
    kinds.set(kind, { quietUntil: at + quietMs, unreported: 0 });
    return known?.unreported ?? 0;
  };

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
  if (error instanceof KeysUnreadable) return error.cause instanceof Unavailable;
  return (error instanceof Unavailable || error instanceof QuotasUnreadable) && error.cause === undefined;
}

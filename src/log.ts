import type { Writable } from "node:stream";
import { type Logger, pino, stdTimeFunctions } from "pino";
import type { Mask } from "./config/masking.ts";

/** Structured lines on a stream: no query strings, no keys, and no configured secret, whoever's words they come in. */
export function createLog(level: string, stream: Writable, mask: Mask = (text) => text): Logger {
  const hooks = { streamWrite: mask };
  return pino({ level, timestamp: stdTimeFunctions.isoTime, base: null, hooks }, stream);
}

/** Protects the log: what fails at all may fail often. */
const quietMs = 1_000;

/**
 * Of each kind one line a second: how many of a kind were not logged since its last line; undefined while nothing is to be
 * logged of it. Kinds must be few.
 */
export function quietly(now: () => number = () => performance.now()): (kind: string) => number | undefined {
  const kinds = new Map<string, { quietUntil: number; unreported: number }>();
  return (kind) => {
    const at = now();
    const known = kinds.get(kind);
    if (known && at < known.quietUntil) {
      known.unreported += 1;
      return undefined;
    }
    kinds.set(kind, { quietUntil: at + quietMs, unreported: 0 });
    return known?.unreported ?? 0;
  };
}

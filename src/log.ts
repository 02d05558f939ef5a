import type { Writable } from "node:stream";
import { type Logger, pino, stdTimeFunctions } from "pino";
import type { Mask } from "./config/masking.ts";

/** Structured lines on a stream: no query strings, no keys, and no configured secret, whoever's words they come in. */
export function createLog(level: string, stream: Writable, mask: Mask = (text) => text): Logger {
  const hooks = { streamWrite: mask };
  return pino({ level, timestamp: stdTimeFunctions.isoTime, base: null, hooks }, stream);
}

import type { Writable } from "node:stream";
import { type Logger, pino, stdTimeFunctions } from "pino";

/** Structured lines on a stream: no query strings, no keys. */
export function createLog(level: string, stream: Writable): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime, base: null }, stream);
}

import type { Writable } from "node:stream";
import { isatty, WriteStream } from "node:tty";
import { type Logger, pino, stdTimeFunctions } from "pino";
import type { Mask } from "../config/masking.ts";
import { type Environment, textOf } from "../config/setting.ts";
import { logText } from "./log-text.ts";

/** How lines are written: for programs as JSON, for people as text. */
export type LogForm = { readonly kind: "json" } | { readonly kind: "text"; readonly color: boolean };

type LogStream = Writable & { readonly isTTY?: boolean };

/** Structured lines on a stream: no query strings, no keys, and no configured secret, whoever's words they come in. */
export function createLog(
  level: string,
  stream: LogStream,
  mask: Mask = (text) => text,
  form: LogForm = logForm({}, stream),
): Logger {
  const streamWrite = form.kind === "json" ? mask : (line: string) => logText(JSON.parse(line), form.color, mask);
  return pino({ level, timestamp: stdTimeFunctions.isoTime, base: null, hooks: { streamWrite } }, stream);
}

/** As IDS_LOG_FORMAT says; else text on a terminal, and JSON where anything else reads it. */
export function logForm(environment: Environment, stream: LogStream): LogForm {
  const isTerminal = stream.isTTY ?? (stream === process.stderr && isatty(2));
  const kind = textOf(environment, "IDS_LOG_FORMAT") ?? (isTerminal ? "text" : "json");
  if (kind === "json") return { kind };
  const isColored = isTerminal || environment.FORCE_COLOR !== undefined;
  return { kind: "text", color: isColored && WriteStream.prototype.getColorDepth(environment) > 1 };
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

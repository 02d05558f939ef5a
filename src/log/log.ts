import type { Writable } from "node:stream";
import { isatty, WriteStream } from "node:tty";
import { styleText } from "node:util";
import { type Logger, pino, stdTimeFunctions } from "pino";
import { z } from "zod";
import type { Mask } from "../config/masking.ts";
import { type Environment, textOf } from "../config/setting.ts";
import { printable } from "../reference/printable.ts";

const recordSchema = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().default("") });

const errorSchema = z.object({ message: z.string(), stack: z.string().default("") });

const refreshSchema = z.object({
  dataset: z.string(),
  rows: z.number().optional(),
  milliseconds: z.number(),
  sources: z.array(z.object({ source: z.string(), state: z.string(), detail: z.string() })),
});

interface Words {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const levels = [
  { from: 50, name: "error", style: "red" },
  { from: 40, name: "warn", style: "yellow" },
  { from: 30, name: "info", style: "green" },
  { from: 0, name: "debug", style: "gray" },
] as const;

type Style = (typeof levels)[number]["style"] | "dim";

/** Formats a JSON log line for people: time (UTC), level, message, fields, then the stack trace of an error. */
function logText(json: unknown, color: boolean, mask: Mask): string {
  const { level, time, msg, ...rest } = recordSchema.parse(json);
  const paint = (style: Style, text: string) => (color ? styleText(style, text, { validateStream: false }) : text);
  // Secrets are masked before unprintable characters are replaced. Otherwise a secret with such characters would not
  // match.
  const shown = (text: string) => printable(mask(text));
  const { name, style } = levels.find(({ from }) => level >= from) ?? levels[3];
  const { message, fields } = refreshWords(msg, rest) ?? { message: msg, fields: rest };
  const { err, ...others } = fields;
  const { data: error } = errorSchema.safeParse(err);
  const named = Object.entries(error ? { ...others, error: error.message } : fields);
  const parts = named.map(([key, value]) => paint("dim", `${shown(key)}=`) + shown(valueText(value)));
  const line = [paint("dim", `${time.slice(11, 19)}Z`), paint(style, name.padEnd(5)), shown(message)];
  const frames = (error?.stack.split("\n") ?? []).filter((frame) => /^\s+at /.test(frame));
  return `${[[...line, ...parts].join(" "), ...frames.map((frame) => paint("dim", shown(frame)))].join("\n")}\n`;
}

/** Describes a refresh in words, with errors of sources and the command for details. */
function refreshWords(message: string, fields: Words["fields"]): Words | undefined {
  const { data: refresh } = refreshSchema.safeParse(fields);
  if (message !== "ingest" || !refresh) return undefined;
  const { dataset, rows, milliseconds, sources } = refresh;
  const bad = sources.filter(({ state }) => state !== "ok" && state !== "paced");
  const state = bad.length === 0 ? "ok" : rows === undefined ? "no new data" : "degraded";
  const count = rows === undefined ? [] : [`${rows} rows`];
  const summary = `refreshed ${dataset}: ${[...count, state, `${(milliseconds / 1000).toFixed(1)} s`].join(", ")}`;
  const troubles = bad.map(({ source, state: of, detail }) => `${source} ${of}: ${detail}`);
  const remedy = bad.length === 0 ? [] : ["`ids doctor` shows what is missing"];
  return { message: [summary, ...troubles, ...remedy].join("; "), fields: {} };
}

/** Puts a value in quotes if it contains a blank. */
function valueText(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

export type LogForm = { readonly kind: "json" } | { readonly kind: "text"; readonly color: boolean };

type LogStream = Writable & { readonly isTTY?: boolean };

/** Creates a log that writes to a stream. Query strings, keys, and configured secrets are never written. */
export function createLog(
  level: string,
  stream: LogStream,
  mask: Mask = (text) => text,
  form: LogForm = logForm({}, stream),
): Logger {
  const streamWrite = form.kind === "json" ? mask : (line: string) => logText(JSON.parse(line), form.color, mask);
  return pino({ level, timestamp: stdTimeFunctions.isoTime, base: null, hooks: { streamWrite } }, stream);
}

/** Returns the format in IDS_LOG_FORMAT. The default is text for a terminal, and JSON otherwise. */
export function logForm(environment: Environment, stream: LogStream): LogForm {
  const isTerminal = stream.isTTY ?? (stream === process.stderr && isatty(2));
  const kind = textOf(environment, "IDS_LOG_FORMAT") ?? (isTerminal ? "text" : "json");
  if (kind === "json") return { kind };
  const isColored = isTerminal || environment.FORCE_COLOR !== undefined;
  return { kind: "text", color: isColored && WriteStream.prototype.getColorDepth(environment) > 1 };
}

/** Minimum time between two lines of one kind, because a failure may repeat often. */
const quietMs = 1_000;

/**
 * Creates a function that limits log lines. It returns how many lines of a kind were suppressed before this one, or
 * undefined if this one must be suppressed. There should be few kinds, because all stay in memory.
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

import { styleText } from "node:util";
import { z } from "zod";
import type { Mask } from "../config/masking.ts";
import { printable } from "../reference/printable.ts";

/** Any line of the log, as its JSON has it. */
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

/** A line of the log for people, from its JSON: time (UTC), level, message, fields; below an error where it came from. */
export function logText(json: unknown, color: boolean, mask: Mask): string {
  const { level, time, msg, ...rest } = recordSchema.parse(json);
  const paint = (style: Style, text: string) => (color ? styleText(style, text, { validateStream: false }) : text);
  // A secret is found only as it is: before what cannot be printed is replaced.
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

/** A refresh in a sentence; of sources that are not as they should be their own words, and where more is to be seen. */
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

/** As it is where it is one word, else in quotes. */
function valueText(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

import type { z } from "zod";
import { ConfigurationError } from "../errors.ts";
import { type Environment, isSetting, type Setting, type SettingTable, textOf, type Values } from "./setting.ts";
import { itemsOf } from "./text-types.ts";

export interface Readings<T> {
  /** Values by name of the setting. If a setting is in `problems`, its value is undefined. */
  readonly values: Values<T>;
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads all settings of a table. An invalid setting does not prevent reading the others. */
export function readSettings<T extends SettingTable>(table: T, environment: Environment): Readings<T> {
  const problems = new Map<string, string>();
  const valueFrom = (setting: Setting) => {
    const text = textOf(environment, setting.name) ?? setting.default;
    if (text === undefined) return undefined;
    const { data, error } = setting.type.safeParse(text);
    if (error) problems.set(setting.name, problemOf(setting, text, error));
    return data;
  };
  const entries = Object.entries(table).map(([key, entry]) => [
    key,
    isSetting(entry)
      ? valueFrom(entry)
      : Object.fromEntries(Object.entries(entry).map(([inner, setting]) => [inner, valueFrom(setting)])),
  ]);
  // The value of each entry has the type of its setting, which TypeScript cannot infer from `fromEntries`.
  return { values: Object.fromEntries(entries) as Values<T>, problems };
}

/** Parses the value of a single variable. */
export function parseValue<T>(setting: TypedName<T>, text: string): T {
  const { data, error } = setting.type.safeParse(text);
  if (error) throw new ConfigurationError(problemOf(setting, text, error));
  return data;
}

interface TypedName<T> extends Pick<Setting, "name" | "secret"> {
  readonly type: z.ZodType<T, string>;
}

export function requireNone(problems: Iterable<string>): void {
  const [first, ...more] = problems;
  if (first === undefined) return;
  if (more.length === 0) throw new ConfigurationError(first);
  throw new ConfigurationError([`${more.length + 1} settings are invalid:`, first, ...more].join("\n  "));
}

const maxShown = 80;

/** Describes the allowed values of a setting. Includes the actual value unless it is secret. */
function problemOf({ name, type, secret }: TypedName<unknown>, text: string, { issues }: z.ZodError): string {
  const rule = `${name} must be ${type.description}`;
  if (secret !== undefined) return rule;
  const place = issues[0]?.path[0];
  const wrong = typeof place === "number" ? (itemsOf(text)[place] ?? text) : text;
  return `${rule}, not ${JSON.stringify(wrong.slice(0, maxShown))}`;
}

import type { z } from "zod";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Definition of a setting. Parsing, checks, documentation and masking are derived from it. */
export interface Setting {
  readonly name: string;
  /** Parses the text of the variable. Its description ends the sentence "the setting must be …". */
  readonly type: z.ZodType<unknown, string>;
  /** Default text, which is parsed like the text of a variable. Without a default, the value is undefined. */
  readonly default?: string;
  readonly meaning: string;
  /** Which part of the value is masked in output: all of it, or the password of a URL. */
  readonly secret?: "value" | "password";
}

/** Settings by their name in the configuration. A member can also be a group with further settings. */
export interface SettingTable {
  readonly [key: string]: Setting | { readonly [key: string]: Setting };
}

type ValueOf<S extends Setting> = z.output<S["type"]> | (S extends { default: string } ? never : undefined);

export type Values<T> = { readonly [K in keyof T]: T[K] extends Setting ? ValueOf<T[K]> : Values<T[K]> };

export type NamesOf<T> = T extends Setting ? T["name"] : { [K in keyof T]: NamesOf<T[K]> }[keyof T];

export function settingsOf(table: SettingTable): readonly Setting[] {
  return Object.values(table).flatMap((entry) => (isSetting(entry) ? [entry] : Object.values(entry)));
}

export function isSetting(entry: SettingTable[string]): entry is Setting {
  return typeof entry.name === "string";
}

/** Returns the trimmed text of a variable. A blank variable counts as not set. */
export function textOf(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

import type { z } from "zod";

/** Variables as a process gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting, said once: its type, its checks, the documentation and the masking follow from it. */
export interface Setting {
  readonly name: string;
  /** From text. Its description ends the sentence "the setting must be …". */
  readonly type: z.ZodType<unknown, string>;
  /** The text that counts when it is not set; without one the value is undefined. */
  readonly default?: string;
  /** For users: one or two sentences, with the unit. */
  readonly meaning: string;
  /** What must not be shown: the whole value, or the password of a URL. */
  readonly secret?: "value" | "password";
}

/** Settings by their names in the configuration, alone or in groups. */
export interface SettingTable {
  readonly [key: string]: Setting | { readonly [key: string]: Setting };
}

type ValueOf<S extends Setting> = z.output<S["type"]> | (S extends { default: string } ? never : undefined);

/** The values of a table, in its shape. */
export type Values<T> = { readonly [K in keyof T]: T[K] extends Setting ? ValueOf<T[K]> : Values<T[K]> };

/** The names of a table's variables. */
export type NamesOf<T> = T extends Setting ? T["name"] : { [K in keyof T]: NamesOf<T[K]> }[keyof T];

/** Every setting of a table, in its order. */
export function settingsOf(table: SettingTable): readonly Setting[] {
  return Object.values(table).flatMap((entry) => (isSetting(entry) ? [entry] : Object.values(entry)));
}

export function isSetting(entry: SettingTable[string]): entry is Setting {
  return typeof entry.name === "string";
}

/** A variable's text without the blanks round it; a blank one is not set. */
export function textOf(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

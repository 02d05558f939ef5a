import type { Readable, Writable } from "node:stream";
import { type Config, type ConfigUses, readConfig } from "../config/config.ts";
import type { Environment } from "../config/setting.ts";

/** What a command works with. */
export interface Terminal {
  readonly environment: Environment;
  readonly config: (uses?: ConfigUses) => Config;
  readonly out: Output;
  readonly err: Output;
  /** Where a person types; absent where nobody is asked. */
  readonly input?: Readable;
}

/** The same with these variables set. */
export function withVariables(terminal: Terminal, variables: Environment): Terminal {
  const environment = { ...terminal.environment, ...variables };
  return { ...terminal, environment, config: (uses) => readConfig(environment, uses) };
}

/** A stream that may be a terminal. */
type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

import type { Readable, Writable } from "node:stream";
import { type Config, type ConfigUses, readConfig } from "../config/config.ts";
import type { Environment } from "../config/setting.ts";

export interface Terminal {
  readonly environment: Environment;
  readonly config: (uses?: ConfigUses) => Config;
  readonly out: Output;
  readonly err: Output;
  /** The input for prompts. Absent if no user can type. */
  readonly input?: Readable;
}

export function withVariables(terminal: Terminal, variables: Environment): Terminal {
  const environment = { ...terminal.environment, ...variables };
  return { ...terminal, environment, config: (uses) => readConfig(environment, uses) };
}

type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

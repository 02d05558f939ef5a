import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { type Config, type ConfigUses, readConfig } from "../config/config.ts";
import type { Environment } from "../config/setting.ts";
import { ConfigurationError } from "../errors.ts";

/** The input, output, and environment of a command. */
export interface Terminal {
  readonly environment: Environment;
  readonly config: (uses?: ConfigUses) => Config;
  readonly out: Output;
  readonly err: Output;
  /** The input for prompts. Absent if no user can type. */
  readonly input?: Readable;
}

/** A stream that may be a terminal. */
type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Returns the same terminal with these variables set. */
export function withVariables(terminal: Terminal, variables: Environment): Terminal {
  const environment = { ...terminal.environment, ...variables };
  return { ...terminal, environment, config: (uses) => readConfig(environment, uses) };
}

export function printJson({ out }: Terminal, value: unknown): void {
  out.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Throws if the path isn't a regular file or a free name, because the download would replace a device too. */
export async function requireTargetFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new ConfigurationError(`${path} is a folder: name a file in it`);
  if (found && !found.isFile())
    throw new ConfigurationError(`${path} is not a regular file: name one, or use standard output`);
}

/** The command line is invalid. The command exits with the status for wrong usage. */
export class WrongCommandLine extends Error {
  override readonly name = "WrongCommandLine";
}

import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { type Config, type ConfigUses, readConfig } from "../config/config.ts";
import type { Environment } from "../config/setting.ts";
import { ConfigurationError } from "../errors.ts";

/** Input, output, and environment variables of a command. */
export interface Terminal {
  readonly environment: Environment;
  readonly config: (uses?: ConfigUses) => Config;
  readonly out: Output;
  readonly err: Output;
  /** Input for questions; undefined if no user can type. */
  readonly input?: Readable;
}

/** An output stream. Only a terminal has a width. */
type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Returns a terminal with additional environment variables. */
export function withVariables(terminal: Terminal, variables: Environment): Terminal {
  const environment = { ...terminal.environment, ...variables };
  return { ...terminal, environment, config: (uses) => readConfig(environment, uses) };
}

export function printJson({ out }: Terminal, value: unknown): void {
  out.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Throws unless the path is a regular file or does not exist, because the download would replace a device. */
export async function requireTargetFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new ConfigurationError(`${path} is a folder: name a file in it`);
  if (found && !found.isFile())
    throw new ConfigurationError(`${path} is not a regular file: name one, or use standard output`);
}

/** Thrown if the command line is invalid. `ids` then ends with the exit code for wrong usage. */
export class WrongCommandLine extends Error {
  override readonly name = "WrongCommandLine";
}

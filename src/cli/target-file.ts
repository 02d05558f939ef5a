import { stat } from "node:fs/promises";
import { ConfigurationError } from "../errors.ts";

/** Throws if the path isn't a regular file or a free name, because the download would replace a device too. */
export async function requireTargetFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new ConfigurationError(`${path} is a folder: name a file in it`);
  if (found && !found.isFile())
    throw new ConfigurationError(`${path} is not a regular file: name one, or use standard output`);
}

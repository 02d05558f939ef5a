import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigurationError } from "../errors.ts";

/** Creates a folder with its parents. Node's own function never returns if a file system such as /proc rejects it. */
export function makeFolder(path: string, mode?: number): void {
  const place = resolve(path);
  if (isFolder(place)) return;
  if (dirname(place) !== place) makeFolder(dirname(place), mode);
  try {
    mkdirSync(place, { mode });
  } catch (cause) {
    // Another process may have created the folder in the meantime.
    if (isFolder(place)) return;
    throw new ConfigurationError(`The folder ${place} cannot be created (${codeOf(cause)})`, { cause });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

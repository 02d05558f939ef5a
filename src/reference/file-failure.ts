import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { ConfigurationError } from "../errors.ts";

const reasons = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EACCES", "this user has no permission"],
  ["EPERM", "this user has no permission"],
  ["EISDIR", "it is a folder"],
]);

/** Returns why a file cannot be read. For an error of its content, such as a parse error, returns `otherwise`. */
export function whyUnreadable(cause: unknown, otherwise = "reading it failed"): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return reasons.get(code) ?? otherwise;
}

/** Reads a text file that the operator configured. Throws `ConfigurationError` if it is not UTF-8. */
export async function readTextFile(file: string, name = file): Promise<string> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new ConfigurationError(`${name} cannot be read: ${whyUnreadable(cause)}`, { cause });
  });
  return utf8Text(name, bytes);
}

export function utf8Text(name: string, bytes: Buffer): string {
  const remedy = "save the file as CSV UTF-8, or with the encoding UTF-8";
  // A UTF-16 file may have no byte order mark. Its ASCII letters then alternate with NUL.
  if (/^(?:\xff\xfe|\xfe\xff|(?:[^\0]\0){2}|(?:\0[^\0]){2})/.test(bytes.toString("latin1", 0, 4)))
    throw new ConfigurationError(`${name} is UTF-16, and must be UTF-8: ${remedy}`);
  const lines = bytes.toString("latin1").split("\n");
  if (!isUtf8(bytes)) {
    const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, "latin1"))) + 1;
    throw new ConfigurationError(`${name} is not UTF-8, see line ${line}: ${remedy}`);
  }
  const line = lines.findIndex((text) => text.includes("\0")) + 1;
  if (line > 0) throw new ConfigurationError(`${name} contains a NUL byte at line ${line}: remove it`);
  return new TextDecoder().decode(bytes);
}

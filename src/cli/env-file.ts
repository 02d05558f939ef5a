import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { ConfigurationError } from "../errors.ts";
import { utf8Text } from "../reference/file-failure.ts";

/** Name of the file in the current folder from which `ids` reads variables. */
export const envFile = ".env";

/** Sets variables in the text of an environment file. Keeps its other lines and their order. */
export function withVariables(text: string, values: ReadonlyMap<string, string>): string {
  const left = new Map(values);
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const stored = lines.map((line) => {
    const [, name = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line) ?? [];
    const value = left.get(name);
    left.delete(name);
    return value === undefined ? line : `${name}=${quoted(value)}`;
  });
  return [...stored, ...[...left].map(([name, value]) => `${name}=${quoted(value)}`), ""].join("\n");
}

/** Writes variables to a file that only this user can read. If the file is a link, its target is written. */
export function writeVariables(name: string, values: ReadonlyMap<string, string>): void {
  const file = existsSync(name) ? realpathSync(name) : name;
  const partial = `${file}.partial`;
  writeFileSync(partial, withVariables(textOf(file), values), { mode: 0o600 });
  renameSync(partial, file);
}

function textOf(file: string): string {
  try {
    return utf8Text(file, readFileSync(file));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** Quotes a value with special characters, with a quotation mark that the value does not contain. */
function quoted(value: string): string {
  if (/^[\w.:/@%+,=-]+$/.test(value)) return value;
  // Within double quotes, a backslash starts an escape, so values with a backslash need other quotation marks.
  const quote = ["'", "`", ...(value.includes("\\") ? [] : ['"'])].find((mark) => !value.includes(mark));
  if (quote === undefined || /[\r\n]/.test(value))
    throw new ConfigurationError(
      `A value with line breaks or with all kinds of quotes cannot be written to ${envFile}`,
    );
  return quote + value + quote;
}

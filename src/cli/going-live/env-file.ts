import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { ConfigurationError } from "../../errors.ts";
import { utf8Text } from "../../reference/file-failure.ts";

/** Where `ids` looks for variables, in the folder that it is run in. */
export const envFile = ".env";

/** The text of the file with these variables set: lines of others, comments and their order stay. */
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

/** Writes them where only this user reads them. A link stays one: what it names is written. */
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

/** As it is, if nothing in it means anything to who reads such files; else in quotes that it does not hold. */
function quoted(value: string): string {
  if (/^[\w.:/@%+,=-]+$/.test(value)) return value;
  // Within double quotes a backslash has a meaning.
  const quote = ["'", "`", ...(value.includes("\\") ? [] : ['"'])].find((mark) => !value.includes(mark));
  if (quote === undefined || /[\r\n]/.test(value))
    throw new ConfigurationError(
      `A value with line breaks or with all kinds of quotes cannot be written to ${envFile}`,
    );
  return quote + value + quote;
}

/** A shell block of a page, and the JSON that the page prints below it. */
export interface ShellBlock {
  readonly commands: string;
  /** Whether the page says that the service rejects these requests. */
  readonly fails: boolean;
  readonly json: string | undefined;
}

/** Returns the blocks that readers run: ` ```sh `, and ` ```sh fails ` for requests that are rejected. */
export function shellBlocks(markdown: string): ShellBlock[] {
  const blocks = markdown.matchAll(/^```sh( fails)?\n(.*?)^```$(?:\n\n```json\n(.*?)^```$)?/gms);
  return [...blocks].map(([, fails, commands = "", json]) => ({
    commands: commands
      .split("\n")
      // The tests of the command line run `make` itself.
      .filter((line) => line !== "" && !/^(?:\w+=\w+ )*make /.test(line))
      .join("\n"),
    fails: fails !== undefined,
    json,
  }));
}

const separator = "\u001e";

/** Returns one script of all blocks. Any failure of a command, and any status that is an error, ends it. */
export function scriptOf(blocks: readonly ShellBlock[]): string {
  const strict = 'set -euo pipefail\ncurl() { command curl -sS $onError "$@"; }';
  const parts = blocks.map(({ commands, fails }) => {
    const end = `printf '\\x1e'`;
    return `onError=${fails ? "" : "--fail-with-body"}\n${commands}\n${end}`;
  });
  return [strict, ...parts].join("\n");
}

/** Returns what each block of a script wrote. */
export function outputsOf(stdout: string): string[] {
  return stdout.split(separator).slice(0, -1);
}

/** Reads JSON as a page prints it: `…` stands for further members or items. */
export function printedJson(json: string): unknown {
  const open: string[] = [];
  const filled = json.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{}…]/g, (token) => {
    if (token === "[" || token === "{") open.push(token);
    if (token === "]" || token === "}") open.pop();
    if (token !== "…") return token;
    return open.at(-1) === "{" ? '"…": "…"' : '"…"';
  });
  return JSON.parse(filled);
}

/** Pages may leave out these members, which say from when rows are held. */
const omitted = new Set(["heldFrom", "isPartial", "unavailableReason"]);

/**
 * Returns where the members or types of a response differ from the printed ones; undefined if they do not. A printed
 * item of a list stands for any item of the response.
 */
export function shapeDifference(shown: unknown, actual: unknown, path = "response"): string | undefined {
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return `${path} isn't a list`;
    if (shown.length > 0 && actual.length === 0) return `${path} is empty`;
    const items = shown.filter((item) => item !== "…");
    return items.map((item) => closestDifference(item, actual, path)).find(Boolean);
  }
  if (typeof shown !== "object" || shown === null || typeof actual !== "object" || actual === null)
    return typeof shown === typeof actual ? undefined : `${path} is ${typeof actual}`;
  const members = Object.entries(shown).filter(([name]) => name !== "…");
  const [names, known] = [members.map(([name]) => name), Object.keys(actual)];
  const lacking = names.filter((name) => !known.includes(name));
  if (lacking.length > 0) return `${path} has no ${lacking.join(", ")}`;
  const added = known.filter((name) => !names.includes(name) && !omitted.has(name));
  if (!("…" in shown) && added.length > 0) return `${path} has more members: ${known.join(", ")}`;
  return members
    .map(([name, value]) => shapeDifference(value, actual[name as keyof typeof actual], `${path}.${name}`))
    .find(Boolean);
}

function closestDifference(item: unknown, actual: readonly unknown[], path: string): string | undefined {
  const differences = actual.map((other) => shapeDifference(item, other, `${path}[]`));
  return differences.includes(undefined) ? undefined : differences[0];
}

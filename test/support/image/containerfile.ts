export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

/** From one FROM to the next. */
export interface Stage {
  readonly base: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Containerfile, with continued lines joined. */
export function stagesOf(file: string): Stage[] {
  const lines = file
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, keyword = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === "") throw new Error(`Not an instruction: ${line}`);
    if (keyword !== "FROM") stages.at(-1)?.instructions.push({ keyword, text });
    else {
      const [base = "", , name = ""] = text.split(" ");
      stages.push({ base, name, instructions: [] });
    }
  }
  return stages;
}

/** What `NAME=value NAME="value"` sets. */
export function pairsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g);
  return Object.fromEntries([...pairs].map(([, name, quoted, bare]) => [name, quoted ?? bare ?? ""]));
}

/** The files of a folder that an ignore file leaves in: the last pattern that matches decides. */
export function contextFiles(files: readonly string[], ignore: string): string[] {
  const patterns = ignore.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return files.filter((file) => {
    const last = patterns.findLast((pattern) => expressionOf(pattern.replace(/^!/, "")).test(file));
    return last === undefined || last.startsWith("!");
  });
}

/** A pattern matches its name and everything below it. A leading dot isn't special. */
function expressionOf(pattern: string): RegExp {
  const parts = { "**/": "(?:.*/)?", "*": "[^/]*", ".": "\\." } as const;
  const source = pattern.replaceAll(/\*\*\/|\*|\./g, (part) => parts[part as keyof typeof parts]);
  return new RegExp(`^${source}(?:/|$)`);
}

// Extracts the texts that people read from a file: comments, strings, test titles, names, and prose.
import { readFileSync } from "node:fs";
import { type Node, parseSync, Visitor } from "oxc-parser";

export type Kind = "comment" | "string" | "title" | "name" | "prose";

export interface Text {
  readonly kind: Kind;
  readonly line: number;
  readonly text: string;
}

const testFunctions = new Set(["test", "it", "describe"]);

/** Returns the texts of a TypeScript, JavaScript, proto, or Markdown file. */
export function textsOf(file: string): Text[] {
  const source = readFileSync(file, "utf8");
  if (file.endsWith(".md")) return markdownParagraphs(source);
  if (file.endsWith(".proto")) return blocks(lineComments(source));
  return programTexts(file, source);
}

function programTexts(file: string, source: string): Text[] {
  const { program, comments } = parseSync(file, source);
  const lineAt = lineFinder(source);
  const texts: Text[] = blocks(
    comments
      .filter(({ value }) => !value.startsWith("!") && !/^\s*biome-ignore|^\s*@ts-/.test(value))
      .flatMap(({ value, start }) =>
        value.split("\n").map((line, at) => ({ line: lineAt(start) + at, text: line.replace(/^\s*\*? ?/, "") })),
      ),
  );
  const titles = new Set<Node>();
  const add = (kind: Kind, { start }: { start: number }, text: string) => {
    texts.push({ kind, line: lineAt(start), text });
  };
  const addString = (node: Node & { start: number }, text: string) => {
    if (/\s/.test(text.trim())) add(titles.has(node) ? "title" : "string", node, text);
  };
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (title !== undefined && testFunctions.has(calledName(callee))) {
        titles.add(title);
        if (title.type === "TemplateLiteral") for (const part of title.quasis) titles.add(part);
      }
    },
    Literal(node) {
      if (typeof node.value === "string") addString(node, node.value);
    },
    TemplateElement(node) {
      addString(node, node.value.cooked ?? "");
    },
    Identifier(node) {
      add("name", node, node.name);
    },
  }).visit(program);
  return texts;
}

/** The name of the outermost function: `test` for `test.each(…)(…)`. */
function calledName(callee: Node): string {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "MemberExpression") return calledName(callee.object);
  return callee.type === "CallExpression" ? calledName(callee.callee) : "";
}

interface Line {
  readonly line: number;
  readonly text: string;
}

function lineComments(source: string): Line[] {
  return source.split("\n").flatMap((text, at) => {
    const comment = /(?:^|\s)\/\/ ?(.*)$/.exec(text)?.[1];
    return comment === undefined ? [] : [{ line: at + 1, text: comment }];
  });
}

/** Joins adjacent comment lines, because sentences span lines. */
function blocks(lines: readonly Line[]): Text[] {
  const texts: { kind: Kind; line: number; text: string; last: number }[] = [];
  for (const { line, text } of lines) {
    const open = texts.at(-1);
    if (open !== undefined && open.last === line - 1 && text.trim() !== "" && !/^[-*|] /.test(text.trim())) {
      open.text = `${open.text} ${text.trim()}`.trim();
      open.last = line;
    } else {
      texts.push({ kind: "comment", line, text: text.trim(), last: line });
    }
  }
  return texts.map(({ kind, line, text }) => ({ kind, line, text: withoutCode(text) }));
}

function markdownParagraphs(source: string): Text[] {
  const withoutFences = source
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, (fence) => fence.replace(/[^\n]/g, ""))
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ""));
  const texts: Text[] = [];
  let line = 1;
  for (const paragraph of withoutFences.split(/\n(?=\s*\n|\s*[-*+] |\s*\d+\. |\||#)/)) {
    const text = withoutCode(paragraph.replace(/\s+/g, " ").trim()).replace(/^(?:[-*+#]+|\d+\.) /, "");
    const first = line + (paragraph.length - paragraph.trimStart().length);
    for (const part of text.split("|"))
      if (part.trim() !== "") texts.push({ kind: "prose", line: first, text: part.trim() });
    line += paragraph.split("\n").length;
  }
  return texts;
}

/** Code spans and links are names, not prose. */
function withoutCode(text: string): string {
  return text
    .replace(/`[^`]*`/g, "`x`")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/https?:\/\/\S+/g, "x");
}

function lineFinder(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

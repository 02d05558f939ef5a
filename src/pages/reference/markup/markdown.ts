import type { Block, FieldEntry, ReferencePage } from "../blocks.ts";

export function markdownOf({ title, lead, badges, intro, samples, response, body }: ReferencePage): string {
  const parts = [
    `# ${plain(title)}`,
    inline(lead),
    ...(badges.length > 0 ? [badges.map((badge) => plain(badge.text)).join(" · ")] : []),
    ...[...intro, ...samples, ...response, ...body].flatMap(blockOf),
  ];
  return `${parts.join("\n\n")}\n`;
}

function blockOf(block: Block): string[] {
  switch (block.kind) {
    case "heading":
      return [`${"#".repeat(block.level)} ${plain(block.text)}`];
    case "fold":
      return [`## ${plain(block.text)}`, ...block.blocks.flatMap(blockOf)];
    case "text":
      return [inline(block.text)];
    case "list":
      return [block.items.map((item) => `- ${inline(item)}`).join("\n")];
    case "table":
      return [table(block.headings, block.rows)];
    case "fields":
      return [fieldsTable(block.fields), ...block.fields.flatMap(valuesOf)];
    case "code":
      return [`${plain(block.label)}:`, fenced(block.language, block.text)];
    case "choices":
      return block.choices.flatMap(blockOf);
  }
}

/** Encloses code in a fence that is longer than any fence within the code. */
function fenced(language: string, code: string): string {
  const max = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(max + 1);
  return `${fence}${language}\n${code.trimEnd()}\n${fence}`;
}

function fieldsTable(fields: readonly FieldEntry[]): string {
  return table(
    ["Name", "Type", "Meaning"],
    fields.map(({ name, before, type, marks, text, metadata }) => [
      `\`${before}${name}\``,
      [type, ...marks].join(", "),
      [text, ...metadata].filter(Boolean).join(" "),
    ]),
  );
}

function valuesOf({ name, before, values }: FieldEntry): string[] {
  if (values.length === 0) return [];
  const items = values.map((value) => `- \`${value.name}\`${value.text === "" ? "" : `: ${inline(value.text)}`}`);
  return [`Values of \`${before}${name}\`:`, items.join("\n")];
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell) =>
        inline(cell)
          .replaceAll("|", "\\|")
          .replace(/\s*\n\s*/g, " "),
      )
      .join(" | ")} |`;
  return [line(headings), `|${headings.map(() => " --- |").join("")}`, ...rows.map(line)].join("\n");
}

/** Escapes Markdown in a text, except backticks and links. */
function inline(text: string): string {
  return text
    .split(/(`[^`]*`|\[[^\]]*\]\([^)\s]*\))/)
    .map((part, index) => (index % 2 === 1 ? part : plain(part)))
    .join("");
}

function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, "\\$&");
}

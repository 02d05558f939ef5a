/** Returns the lines of a table in Markdown. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

/** Returns a text in one line whose bars do not end a cell. */
export function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}

/** Returns the lines of a table in Markdown. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

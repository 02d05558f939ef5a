/** A placeholder that stands for a number: without quotes in JSON. */
export function numeric(placeholder: string): string {
  return `#${placeholder}`;
}

function written(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"#(\{\{[^}]*\}\})"/g, "$1");
}

/** JSON on one line. */
export function jsonText(value: unknown): string {
  return `${written(value)}\n`;
}

/** JSON with one row of a list a line, and what stands before and after the list. */
export function jsonRows(before: string, rows: readonly unknown[], after: string): string {
  return `${before}[\n${rows.map(written).join(",\n")}\n]${after}\n`;
}

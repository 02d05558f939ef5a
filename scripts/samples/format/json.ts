/** Marks a placeholder as a number, so that it has no quotes in JSON. */
export function numeric(placeholder: string): string {
  return `#${placeholder}`;
}

function written(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"#(\{\{[^}]*\}\})"/g, "$1");
}

/** Returns Returns JSON on one line. */
export function jsonText(value: unknown): string {
  return `${written(value)}\n`;
}

/** Returns JSON with one line per row of a list, and the given texts before and after the list. */
export function jsonRows(before: string, rows: readonly unknown[], after: string): string {
  return `${before}[\n${rows.map(written).join(",\n")}\n]${after}\n`;
}

/**
 * Returns JSON with a line per item, so that differences are readable. Placeholders of numbers, `"#{{year}}"`, lose
 * their quotes.
 */
export function linesOf(before: string, items: readonly unknown[], after: string): string {
  return `${before}\n${items.map(text).join(",\n")}\n${after}\n`;
}

/** Marks a placeholder as a number. */
export function asNumber(placeholder: string): string {
  return `#${placeholder}`;
}

export function text(value: unknown): string {
  return JSON.stringify(value).replace(/"#(\{\{.*?\}\})"/g, "$1");
}

import type { JsonValue } from "@bufbuild/protobuf";

/** Texts and names are quoted as in JSON, so that none is parsed as another type. */
export function toYaml(value: JsonValue): string {
  const lines: string[] = [];
  write(value, "", "", lines);
  return `${lines.join("\n")}\n`;
}

/** `lead` is the start of the first line: the list marker or the name. */
function write(value: JsonValue, lead: string, indent: string, lines: string[]): void {
  if (value === null || typeof value !== "object" || Object.keys(value).length === 0) {
    lines.push(`${lead}${JSON.stringify(value)}`);
    return;
  }
  if (lead !== "") lines.push(lead.trimEnd());
  if (Array.isArray(value)) for (const item of value) write(item, `${indent}- `, `${indent}  `, lines);
  else
    for (const [name, item] of Object.entries(value))
      write(item, `${indent}${JSON.stringify(name)}: `, `${indent}  `, lines);
}

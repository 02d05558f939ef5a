import type { JsonValue } from "@bufbuild/protobuf";

/** Converts a value to YAML. Texts and names are quoted, so that they are not parsed as another type. */
export function toYaml(value: JsonValue): string {
  const lines: string[] = [];
  write(value, "", "", lines);
  return `${lines.join("\n")}\n`;
}

/** Writes a value. `lead` starts its first line: a list marker or a member name. */
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

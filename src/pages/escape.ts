/** Text as HTML shows it, which has no U+0000. */
export function escaped(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => (character === "\0" ? "\ufffd" : `&#${character.charCodeAt(0)};`));
}

/** Back-ticked parts as code, the rest escaped. */
export function inline(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, (_, code: string) => `<code>${code}</code>`);
}

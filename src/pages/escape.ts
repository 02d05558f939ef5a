/** Text as HTML shows it. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Back-ticked parts as code, the rest escaped. */
export function inline(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, (_, code: string) => `<code>${code}</code>`);
}

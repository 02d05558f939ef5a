/** Escapes text for HTML, which cannot contain U+0000. */
export function escaped(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => (character === "\0" ? "\ufffd" : `&#${character.charCodeAt(0)};`));
}

export function inline(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, (_, code: string) => `<code>${code}</code>`);
}

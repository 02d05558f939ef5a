/** Returns a name as plain text: no markup, no entities, no control characters, single blanks. */
export function plainName(text: string): string {
  const name = text.toWellFormed().replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, decodeEntity);
  // The blank prevents the text around a tag from forming another tag.
  const bare = name.replace(/<[a-z/!?][^>]*(?:>|$)/gi, " ");
  return bare.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

const entities = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["gt", ">"],
  ["lt", "<"],
  ["nbsp", " "],
  ["quot", '"'],
]);

function decodeEntity(entity: string, decimal?: string, hex?: string, word = ""): string {
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
  if (Number.isNaN(code)) return entities.get(word.toLowerCase()) ?? entity;
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? " " : String.fromCodePoint(code);
}

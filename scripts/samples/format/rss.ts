/** Escapes a text for XML. */
export function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Returns an element. Attributes are given as text. */
export function element(name: string, text: string, attributes = ""): string {
  return `<${name}${attributes && ` ${attributes}`}>${xmlText(text)}</${name}>`;
}

/** Returns an element that contains others, one per line. */
export function nested(name: string, elements: readonly string[], indent: string): string {
  return [`${indent}<${name}>`, ...elements.map((one) => `${indent}  ${one}`), `${indent}</${name}>`].join("\n");
}

/** A text in XML. */
export function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An element whose attributes, if any, are written out. */
export function element(name: string, text: string, attributes = ""): string {
  return `<${name}${attributes && ` ${attributes}`}>${xmlText(text)}</${name}>`;
}

/** An element of others, one a line. */
export function nested(name: string, elements: readonly string[], indent: string): string {
  return [`${indent}<${name}>`, ...elements.map((one) => `${indent}  ${one}`), `${indent}</${name}>`].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

/** XML does not allow other control characters or half of a surrogate pair. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes text for XML. Replaces characters that XML does not allow by U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(/[&"<>]/g, (character) => entities[character] ?? "").replace(notInXml, "\u{fffd}");
}

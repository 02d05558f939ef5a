/** Returns three spellings of a text: unchanged, percent-encoded as in a URL, and escaped as in a JSON string. */
export function spellings(text: string): readonly string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];
}

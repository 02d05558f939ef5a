/** Returns a text as it is, in a URL, and in JSON. */
export function spellings(text: string): readonly string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];
}

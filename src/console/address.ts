/** A path with its query, where it has one. */
export function addressOf(path: string, query: URLSearchParams | string): string {
  const text = String(query);
  return text === "" ? path : `${path}?${text}`;
}

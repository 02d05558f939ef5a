/** Returns a path with its query, if there is one. */
export function addressOf(path: string, query: URLSearchParams | string): string {
  const text = String(query);
  return text === "" ? path : `${path}?${text}`;
}

/** Returns the same without one of its parameters. */
export function addressWithout(name: string, path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  rest.delete(name);
  return addressOf(path, rest);
}

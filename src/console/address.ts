export function addressOf(path: string, query: URLSearchParams | string): string {
  const text = String(query);
  return text === "" ? path : `${path}?${text}`;
}

export function addressWithout(name: string, path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  rest.delete(name);
  return addressOf(path, rest);
}

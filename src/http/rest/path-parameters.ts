/** Reads what a path has in the places of its template's `{field}`s, decoded. */
export type PathReader = (path: string) => Readonly<Record<string, string>>;

/** Matches the paths of a template; each `{field}` is one segment. */
export function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

export function pathReader(template: string): PathReader {
  const pattern = pathPattern(template);
  return (path) =>
    Object.fromEntries(Object.entries(pattern.exec(path)?.groups ?? {}).map(([name, text]) => [name, decoded(text)]));
}

/** What a path ends in, decoded. */
export function lastSegment(path: string): string {
  return decoded(path.slice(path.lastIndexOf("/") + 1));
}

/** What is no percent-encoding is left as it is: the field's own rule refuses it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

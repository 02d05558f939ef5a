export type PathReader = (path: string) => Readonly<Record<string, string>>;

export function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

export function pathReader(template: string): PathReader {
  const pattern = pathPattern(template);
  return (path) =>
    Object.fromEntries(Object.entries(pattern.exec(path)?.groups ?? {}).map(([name, text]) => [name, decoded(text)]));
}

export function lastSegment(path: string): string {
  return decoded(path.slice(path.lastIndexOf("/") + 1));
}

/** Invalid percent-encoding stays in the value, and the validation of the field rejects it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

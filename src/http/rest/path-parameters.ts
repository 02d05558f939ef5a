/** Reads the decoded values of the `{field}`s of a template. */
export type PathReader = (path: string) => Readonly<Record<string, string>>;

/** Returns a pattern for the paths of a template. Each `{field}` matches one segment. */
export function pathPattern(template: string): RegExp {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

export function pathReader(template: string): PathReader {
  const pattern = pathPattern(template);
  return (path) =>
    Object.fromEntries(Object.entries(pattern.exec(path)?.groups ?? {}).map(([name, text]) => [name, decoded(text)]));
}

/** Returns the decoded last segment of a path. */
export function lastSegment(path: string): string {
  return decoded(path.slice(path.lastIndexOf("/") + 1));
}

/** Invalid percent-encoding remains as it is, and the validation of the field rejects it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

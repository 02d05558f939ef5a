/** Parameters of a request by name. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * Fills in the fields of a path, also by their lowerCamel names, and returns the rest of the request. Throws a
 * TypeError for a path without a leading slash, because it would change the host.
 */
export function fill(template: string, request: Query): { path: string; rest: Query } {
  if (!template.startsWith("/"))
    throw new TypeError(
      `The path ${JSON.stringify(template)} must start with "/", such as "/api/catalog/v1/list-datasets"`,
    );
  const rest = { ...request };
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const name = field in rest ? field : field.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path, rest };
}

/** Returns the query as text. The name of a list is repeated, and undefined values are omitted. */
export function search(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) parameters.append(name, item instanceof Date ? item.toISOString() : String(item));
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** Parameters of a request by their names. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * A path with its fields, which bodies have under their lowerCamel names; and what of the request it does not say.
 * Throws a TypeError for a path that would run into the host.
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

/** Lists repeat their name; what is undefined is left out. */
export function search(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) parameters.append(name, item instanceof Date ? item.toISOString() : String(item));
  return parameters.size === 0 ? "" : `?${parameters}`;
}

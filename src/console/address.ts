interface Address {
  readonly path: string;
  readonly query: URLSearchParams | string;
}

export function addressOf(path: string, query: URLSearchParams | string): string {
  const text = String(query);
  return text === "" ? path : `${path}?${text}`;
}

/** Returns the address with other values of some parameters. Undefined removes a parameter. */
export function addressWith({ path, query }: Address, values: Readonly<Record<string, string | undefined>>): string {
  const own = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) own.delete(name);
    else own.set(name, value);
  }
  return addressOf(path, own);
}

/** Returns the query of a path; empty if the path has none. */
export function queryOf(target: string): URLSearchParams {
  return new URLSearchParams(target.split("?")[1] ?? "");
}

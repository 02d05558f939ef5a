/** The names of a fixed table's members, in its order. */
export function namesOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}

/** One member under its name where it has a value, nothing where it has none. */
export function named<Name extends string, T>(name: Name, value: T | undefined): { readonly [N in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: T });
}

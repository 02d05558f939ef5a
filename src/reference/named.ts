export function namesOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}

/** Returns an object with one member, or an empty object if the value is undefined. */
export function named<Name extends string, T>(name: Name, value: T | undefined): { readonly [N in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: T });
}

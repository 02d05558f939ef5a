/** Returns the names of a parameter that is not a field: like fields, it has an alias in lowerCamel. */
export function namesOf(name: string): readonly [own: string, twin: string] {
  return [name, name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}

/** Returns both names of a parameter: in snake_case, and in lowerCamelCase like the JSON names of fields. */
export function namesOf(name: string): readonly [own: string, twin: string] {
  return [name, name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}

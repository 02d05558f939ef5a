/** Returns both names of a common parameter: its own, and its alias in lowerCamelCase, as fields have. */
export function namesOf(name: string): readonly [own: string, twin: string] {
  return [name, name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}

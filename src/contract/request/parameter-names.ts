/** The names of a parameter that is no field: as those of fields it has a twin in lowerCamel. */
export function namesOf(name: string): readonly [own: string, twin: string] {
  return [name, name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}

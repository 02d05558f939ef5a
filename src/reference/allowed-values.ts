/** Returns the end of an error about an unknown value: the allowed ones. */
export function useOneOf(known: readonly { readonly id: string }[]): string {
  return `; use one of ${known.map(({ id }) => id).join(", ")}`;
}

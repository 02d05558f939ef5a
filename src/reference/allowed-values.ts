export function useOneOf(known: readonly { readonly id: string }[]): string {
  return `; use one of ${known.map(({ id }) => id).join(", ")}`;
}

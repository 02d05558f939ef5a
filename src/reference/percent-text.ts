/** Formats a share of 1 as a percentage with one decimal: `12.5%`. */
export function percentText(share: number): string {
  return `${Math.round(share * 1_000) / 10}%`;
}

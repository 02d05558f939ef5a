/** A share of 1 in percent, to a tenth: `12.5%`. */
export function percentText(share: number): string {
  return `${Math.round(share * 1_000) / 10}%`;
}

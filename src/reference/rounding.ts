/** Error of binary fractions near a half: 17.4 / 40 × 100 is 43.49999999999999. */
const lost = 1e-9;

/** Rounds half up by the decimal value; the result is never minus zero. Scores are rounded this way. */
export function rounded(value: number, decimals = 0): number {
  const unit = 10 ** decimals;
  return Math.floor(value * unit + 0.5 + lost) / unit + 0;
}

/** Rounds half away from zero; the result is never minus zero. Premiums and their distances are rounded this way. */
export function roundedAway(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0;
}

/** Formats a share of 1 as a percentage with one decimal: `12.5%`. */
export function percentText(share: number): string {
  return `${Math.round(share * 1_000) / 10}%`;
}

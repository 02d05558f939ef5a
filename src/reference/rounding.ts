/** Is added before rounding, because binary fractions can be too small: 17.4 / 40 × 100 is 43.49999999999999. */
const lost = 1e-9;

/** Rounds half up like decimal arithmetic. The result is never minus zero. Scores use this function. */
export function rounded(value: number, decimals = 0): number {
  const unit = 10 ** decimals;
  return Math.floor(value * unit + 0.5 + lost) / unit + 0;
}

/** Rounds half away from zero. The result is never minus zero. Premiums of metals use this function. */
export function roundedAway(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0;
}

/** Formats a fraction as a percentage with one decimal: 0.125 becomes `12.5%`. */
export function percentText(share: number): string {
  return `${Math.round(share * 1_000) / 10}%`;
}

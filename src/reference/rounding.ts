/** What binary fractions lose on the way to a half: 17.4 / 40 × 100 is 43.49999999999999. */
const lost = 1e-9;

/** Rounded half up to so many decimals, as the decimal figures say; never minus zero. The rule of every score. */
export function rounded(value: number, decimals = 0): number {
  const unit = 10 ** decimals;
  return Math.floor(value * unit + 0.5 + lost) / unit + 0;
}

/** Rounded to so many decimals; a half goes away from zero, never minus zero. The rule of premiums and their distances. */
export function roundedAway(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0;
}

/** Rounds to so many decimals; a half goes away from zero, and zero has no sign. */
export function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0;
}

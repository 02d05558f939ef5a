export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns the mean of the values, or 0 if there are none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : total(values) / values.length;
}

export function clamped(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns 0 for an empty list. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : total(values) / values.length;
}

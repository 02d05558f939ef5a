export function clamped(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** 0 where there is nothing to take it of. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : total(values) / values.length;
}

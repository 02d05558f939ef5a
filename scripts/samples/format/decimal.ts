/**
 * Rounds to a number of decimal places. A value other than 0 never becomes 0, because 0 would be read as a measured
 * value.
 */
export function decimal(value: number, digits: number): number {
  const rounded = Number(value.toFixed(digits));
  return rounded === 0 && value !== 0 ? Math.sign(value) * 10 ** -digits : rounded;
}

/** Rounds to a number of significant digits. */
export function significant(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** Returns a placeholder such as `{{year-2}}`, with the offset from the current unit. */
export function placeholder(unit: "year" | "quarter" | "month" | "day" | "gas", offset: number, form = ""): string {
  const signed = offset === 0 ? "" : offset < 0 ? String(offset) : `+${offset}`;
  return `{{${unit}${signed}${form && ` ${form}`}}}`;
}

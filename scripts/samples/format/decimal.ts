/** The number with at most so many digits behind the point. What is not 0 never becomes 0: that would read as a measured one. */
export function decimal(value: number, digits: number): number {
  const reported = Number(value.toFixed(digits));
  return reported === 0 && value !== 0 ? Math.sign(value) * 10 ** -digits : reported;
}

/** The number in so many significant digits. */
export function significant(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** `{{year-2}}`, of so many units ahead of this one. */
export function placeholder(unit: "year" | "quarter" | "month" | "day" | "gas", offset: number, form = ""): string {
  const signed = offset === 0 ? "" : offset < 0 ? String(offset) : `+${offset}`;
  return `{{${unit}${signed}${form && ` ${form}`}}}`;
}

const scales: Readonly<Record<string, number>> = { thousand: 1_000, million: 1_000_000 };
/** The masses are in metric tons. */
const masses: Readonly<Record<string, number>> = { "metric ton": 1, tonne: 1, kilogram: 0.001 };

/** Returns the factor from one unit to another, or undefined if the units cannot be compared. */
export function factorBetween(from: string, to: string): number | undefined {
  const [a, b] = [tonnesOf(from), tonnesOf(to)];
  return a === undefined || b === undefined ? undefined : a / b;
}

/** Brackets contain the measured substance, as in `tonnes (metal content)`, and are ignored. */
function tonnesOf(unit: string): number | undefined {
  const [, scale, mass = ""] = /^(thousand|million)? ?(metric ton|tonne|kilogram)s?$/.exec(plain(unit)) ?? [];
  const tonnes = masses[mass];
  return tonnes === undefined ? undefined : tonnes * (scale === undefined ? 1 : (scales[scale] ?? 1));
}

function plain(unit: string): string {
  return unit
    .replace(/\(.*\)/, "")
    .trim()
    .toLowerCase();
}

const scales: Readonly<Record<string, number>> = { thousand: 1_000, million: 1_000_000 };
/** In tonnes. */
const masses: Readonly<Record<string, number>> = { "metric ton": 1, tonne: 1, kilogram: 0.001 };

/** By what an amount in one unit is multiplied to be in another; undefined where the two cannot be compared. */
export function factorBetween(from: string, to: string): number | undefined {
  const [a, b] = [tonnesOf(from), tonnesOf(to)];
  return a === undefined || b === undefined ? undefined : a / b;
}

/** What is in brackets says what is weighed, as in `tonnes (metal content)`. */
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

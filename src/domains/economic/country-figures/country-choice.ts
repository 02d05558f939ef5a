const defaultCountries = 30;

/** Which countries a caller wants. */
export interface CountryChoice {
  readonly countries: readonly string[];
  /** 0 for all; counts only where no countries are named. */
  readonly limit?: number | undefined;
}

/** The chosen members of a map by code, in their own order. */
export function chosenCountries<Figures>(
  reported: Readonly<Record<string, Figures>>,
  { countries, limit = defaultCountries }: CountryChoice,
): Record<string, Figures> {
  const wanted = new Set(countries);
  const all = Object.entries(reported);
  if (wanted.size > 0) return Object.fromEntries(all.filter(([code]) => wanted.has(code)));
  return Object.fromEntries(limit === 0 ? all : all.slice(0, limit));
}

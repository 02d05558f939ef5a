const defaultCountries = 30;

export interface CountryChoice {
  readonly countries: readonly string[];
  /** Maximum number of countries in the response; 0 means all. It does not apply if the request names countries. */
  readonly limit?: number | undefined;
}

export function chosenCountries<Figures>(
  reported: Readonly<Record<string, Figures>>,
  { countries, limit = defaultCountries }: CountryChoice,
): Record<string, Figures> {
  const wanted = new Set(countries);
  const all = Object.entries(reported);
  if (wanted.size > 0) return Object.fromEntries(all.filter(([code]) => wanted.has(code)));
  return Object.fromEntries(limit === 0 ? all : all.slice(0, limit));
}

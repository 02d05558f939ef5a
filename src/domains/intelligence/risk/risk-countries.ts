export interface RiskCountry {
  /** The ISO 3166-1 alpha-2 code of the country. */
  readonly code: string;
  /** The score of the country's structural risk, 0 to 100. */
  readonly baseline: number;
  /** The factor by which the country's events count, 0 to 10. It is high for countries with little reporting. */
  readonly multiplier: number;
  /**
   * The travel advisory level to use while the State Department's is unknown: 2 caution, 3 reconsider, 4 do not travel.
   */
  readonly fallbackLevel: 0 | 2 | 3 | 4;
}

/** The countries with a score. Responses list countries with equal scores in this order. */
export const riskCountries: readonly RiskCountry[] = (
  [
    ["US", 5, 0.3, 0],
    ["RU", 35, 2, 2],
    ["CN", 25, 2.5, 0],
    ["UA", 50, 0.8, 4],
    ["IR", 40, 2, 3],
    ["IL", 45, 0.7, 3],
    ["TW", 30, 1.5, 0],
    ["KP", 45, 3, 0],
    ["SA", 20, 2, 0],
    ["TR", 25, 1.2, 2],
    ["PL", 10, 0.8, 0],
    ["DE", 5, 0.5, 0],
    ["FR", 10, 0.6, 0],
    ["GB", 5, 0.5, 0],
    ["IN", 20, 0.8, 0],
    ["PK", 35, 1.5, 3],
    ["SY", 50, 0.7, 4],
    ["YE", 50, 0.7, 4],
    ["MM", 45, 1.8, 4],
    ["VE", 40, 1.8, 3],
    ["CU", 45, 2, 3],
    ["MX", 35, 1, 3],
    ["BR", 15, 0.6, 0],
    ["AE", 10, 1.5, 0],
    ["KR", 15, 0.8, 0],
    ["IQ", 40, 1.2, 3],
    ["AF", 45, 0.8, 4],
    ["LB", 40, 1.5, 3],
    ["EG", 20, 1, 0],
    ["JP", 5, 0.5, 0],
    ["QA", 10, 0.8, 0],
  ] as const
).map(([code, baseline, multiplier, fallbackLevel]) => ({ code, baseline, multiplier, fallbackLevel }));

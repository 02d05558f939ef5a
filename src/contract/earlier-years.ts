/** Fields of a seasonal band with the values of the earlier years, the latest first. */
export const yearFields = [
  "oneYearBefore",
  "twoYearsBefore",
  "threeYearsBefore",
  "fourYearsBefore",
  "fiveYearsBefore",
] as const;

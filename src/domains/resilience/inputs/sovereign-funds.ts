import { funds, fundYear } from "../countries.ts";
import type { InputReading } from "../country-data.ts";

const source = "sovereign-funds";

export const fundTable = { name: source, reviewedAt: `${fundYear}-12-31` } as const;

export const fundReadings: readonly InputReading[] = funds.map(
  ({ country, name, assets, access, liquidity, transparency }) => ({
    source,
    country,
    input: "usableFunds",
    period: String(fundYear),
    series: name,
    value: assets * 1e9 * access * liquidity * transparency,
  }),
);

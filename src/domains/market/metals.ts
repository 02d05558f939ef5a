export const metals = [
  { metal: "gold", title: "Gold", contract: "SHAU", unit: "gram", gramsPerUnit: 1, future: "GC=F" },
  { metal: "silver", title: "Silver", contract: "SHAG", unit: "kilogram", gramsPerUnit: 1000, future: "SI=F" },
] as const;

export type Metal = (typeof metals)[number];
export type MetalName = Metal["metal"];

export const gramsPerTroyOunce = 31.1034768;
/** The name of the exchange rate, which is in US dollars per yuan. */
export const fxPair = "CNY/USD";

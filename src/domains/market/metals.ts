/** The metals, in the order of every answer: what they are called, and how Shanghai and COMEX name and weigh them. */
export const metals = [
  { metal: "gold", title: "Gold", contract: "SHAU", unit: "gram", gramsPerUnit: 1, future: "GC=F" },
  { metal: "silver", title: "Silver", contract: "SHAG", unit: "kilogram", gramsPerUnit: 1000, future: "SI=F" },
] as const;

export type Metal = (typeof metals)[number];
export type MetalName = Metal["metal"];

export const gramsPerTroyOunce = 31.1034768;
/** The exchange rate's symbol: US dollars per yuan. */
export const fxPair = "CNY/USD";

/** A series of the contract and what the Bureau of Labor Statistics calls it; FRED knows it by our id. */
export interface LaborSeries {
  readonly id: string;
  readonly title: string;
  readonly units: string;
  readonly blsId: string;
  readonly frequency: "monthly" | "quarterly";
}

export const laborSeries: readonly LaborSeries[] = [
  {
    id: "USPRIV",
    title: "Total Private Nonfarm Payrolls",
    units: "Thousands of Persons",
    blsId: "CES0500000001",
    frequency: "monthly",
  },
  {
    id: "ECIALLCIV",
    title: "Employment Cost Index - All Civilian Workers",
    units: "Index (Dec 2005=100)",
    blsId: "CIS1010000000000I",
    frequency: "quarterly",
  },
];

/** Years of history asked for: as many months as callers may ask for. */
export const yearsOfHistory = 42;

/** A series of the API and its id at the Bureau of Labor Statistics. FRED uses the id of the API. */
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

/** The number of years to request. It covers the maximum number of months in a request. */
export const yearsOfHistory = 42;

/** A series of US labor statistics. `id` is its ID in this API and at FRED, `blsId` its ID at the Bureau. */
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

/** How many years to request, so that they include the maximum number of months that a client can request. */
export const yearsOfHistory = 42;

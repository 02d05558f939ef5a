import type { DefenseFigure } from "../../../../gen/es/ids/stored/v1/defense_pb.ts";
import { rounded } from "../../../reference/rounding.ts";

const windowYears = 5;

/** The deliveries of five years count, up to the last year of the file. Without any, returns nothing. */
export function supplierConcentration(deliveries: readonly DefenseFigure[], lastYear: number) {
  const windowStartYear = lastYear - windowYears + 1;
  const bySupplier = Map.groupBy(
    deliveries.filter(({ year, value }) => year >= windowStartYear && year <= lastYear && value > 0),
    ({ supplierIso2, supplier }) => supplierIso2 || supplier,
  );
  const delivered = [...bySupplier.values()].map((rows) => ({
    supplierIso2: rows[0]?.supplierIso2 ?? "",
    tiv: sum(rows.map(({ value }) => value)),
  }));
  const total = sum(delivered.map(({ tiv }) => tiv));
  if (total === 0) return {};
  const mapped = delivered.filter(({ supplierIso2 }) => supplierIso2 !== "");
  return {
    suppliers: mapped
      .sort((a, b) => b.tiv - a.tiv || (a.supplierIso2 < b.supplierIso2 ? -1 : 1))
      // Significant digits are used instead of decimals, because the smallest supplier has a share too.
      .map(({ supplierIso2, tiv }) => ({ supplierIso2, tivShare: Number((tiv / total).toPrecision(6)) })),
    supplierHhi: share(sum(delivered.map(({ tiv }) => (tiv / total) ** 2))),
    windowStartYear,
    windowEndYear: lastYear,
    supplierSource: "Arms deliveries imported by the operator",
    supplierMappingCoverage: share(sum(mapped.map(({ tiv }) => tiv)) / total),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns a share with four decimals. Sums of fractions can slightly exceed 1. */
function share(ratio: number): number {
  return Math.min(rounded(ratio, 4), 1);
}

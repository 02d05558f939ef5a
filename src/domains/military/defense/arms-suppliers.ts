import { z } from "zod";
import type { DefenseFigure as StoredFigure } from "../../../../gen/es/ids/stored/v1/defense_pb.ts";
import { type Parsed, readRow, type Source } from "../../../ingest/source.ts";
import { countryOf } from "../../../reference/countries/countries.ts";
import { readTextFile } from "../../../reference/file-failure.ts";
import { rounded } from "../../../reference/rounding.ts";
import { total } from "../../../reference/sums.ts";
import { readCsvTable } from "../../../upstream/csv.ts";
import type { DefenseFigure } from "./defense-indicators.ts";

const fileVariable = "IDS_ARMS_SUPPLIERS_FILE";

/**
 * Arms deliveries in a file for which the operator has a license. The CSV has the columns `importer`, `supplier` (ISO
 * 3166-1 codes or English names), `year`, and `tiv` (SIPRI trend-indicator value). Lines for the same importer,
 * supplier, and year are added.
 */
export const armsSuppliers: Source<DefenseFigure> = {
  name: "arms-suppliers",
  license: {
    kind: "restricted",
    publisher: "SIPRI",
    terms: "The operator's own; SIPRI's figures are for non-commercial use, in part only",
  },
  variables: [fileVariable],
  access: {
    signUp: "https://www.sipri.org/databases/armstransfers",
    cost: "by the license of the file that you hold",
    quota: "none: your own file is read",
    terms: "https://www.sipri.org/about/terms-and-conditions",
  },
  rows: { atLeast: 1, mayBeEmpty: false },
  fetch: (upstream) =>
    upstream.origin === "sample"
      ? upstream.text({ url: "https://arms-suppliers.example/deliveries.csv" })
      : readTextFile(upstream.variable(fileVariable), `The file of ${fileVariable}`),
  parse: parseDeliveries,
  observedAt: ({ year = 0 }) => Date.UTC(year, 11, 31),
  reportsYears: true,
};

const columns = ["importer", "supplier", "year", "tiv"] as const;

const country = z.string().transform((text) => countryNamed(text));

const lineSchema = z.object({
  importer: country.pipe(z.string("is not a country")),
  supplier: z.string().min(1),
  year: z
    .string()
    .regex(/^(19|20)\d{2}$/, "is not a year")
    .transform(Number),
  tiv: z
    .string()
    .regex(/^\d+(\.\d+)?$/, "is not an amount")
    .transform(Number),
});

function parseDeliveries(text: unknown): Parsed<DefenseFigure> {
  const rows = new Map<string, DefenseFigure>();
  const { records, rejected } = readCsvTable("The file of arms deliveries", z.string().parse(text), columns);
  for (const { line, record } of records) {
    const read = readRow(lineSchema, record, `line ${line}`, rejected);
    if (!read) continue;
    const { importer, supplier, year, tiv } = read;
    const supplierIso2 = countryNamed(supplier) ?? "";
    const key = `${importer} ${supplierIso2 || supplier} ${year}`;
    const value = (rows.get(key)?.value ?? 0) + tiv;
    rows.set(key, { countryCode: importer, supplier, supplierIso2, year, value });
  }
  return { rows: [...rows.values()], rejected };
}

/** Returns the country of a supplier. Undefined for a party that SIPRI marks with a star or words as not a state. */
function countryNamed(text: string): string | undefined {
  if (/\*|\bunknown\b/i.test(text)) return undefined;
  return countryOf(text)?.alpha2;
}

const windowYears = 5;

/** Returns the share of each supplier in the last five years of the file. Without deliveries, no value is set. */
export function supplierConcentration(deliveries: readonly StoredFigure[], lastYear: number) {
  const windowStartYear = lastYear - windowYears + 1;
  const bySupplier = Map.groupBy(
    deliveries.filter(({ year, value }) => year >= windowStartYear && year <= lastYear && value > 0),
    ({ supplierIso2, supplier }) => supplierIso2 || supplier,
  );
  const delivered = [...bySupplier.values()].map((rows) => ({
    supplierIso2: rows[0]?.supplierIso2 ?? "",
    tiv: total(rows.map(({ value }) => value)),
  }));
  const whole = total(delivered.map(({ tiv }) => tiv));
  if (whole === 0) return {};
  const mapped = delivered.filter(({ supplierIso2 }) => supplierIso2 !== "");
  return {
    suppliers: mapped
      .sort((a, b) => b.tiv - a.tiv || (a.supplierIso2 < b.supplierIso2 ? -1 : 1))
      // A share has six significant digits instead of fixed decimals, so that small suppliers do not become 0.
      .map(({ supplierIso2, tiv }) => ({ supplierIso2, tivShare: Number((tiv / whole).toPrecision(6)) })),
    supplierHhi: share(total(delivered.map(({ tiv }) => (tiv / whole) ** 2))),
    windowStartYear,
    windowEndYear: lastYear,
    supplierSource: "Arms deliveries imported by the operator",
    supplierMappingCoverage: share(total(mapped.map(({ tiv }) => tiv)) / whole),
  };
}

/** Returns a share with four decimals. It is at most 1, although a sum of fractions can be slightly greater. */
function share(ratio: number): number {
  return Math.min(rounded(ratio, 4), 1);
}

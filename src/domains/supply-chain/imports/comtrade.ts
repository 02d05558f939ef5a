import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { CountryTradeSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import type { ImportedProductSchema } from "../../../../gen/es/ids/supply_chain/v1/country_products_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readRow, type Source } from "../../../ingest/source.ts";
import { isTotal, tradeRecordSchema, world } from "../../../providers/comtrade/comtrade.ts";
import { partnerIso2, reporters } from "../../../providers/comtrade/comtrade-codes.ts";
import { dayMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";
import { hsHeadings } from "../../../reference/trade/hs-headings.ts";

type Product = MessageInitShape<typeof ImportedProductSchema>;

interface ReportedImports {
  readonly products: readonly Product[];
  readonly rejected: readonly Rejection[];
}

const recordSchema = tradeRecordSchema.extend({
  flowCode: z.literal("M"),
  cmdCode: z.coerce
    .string()
    .transform((heading) => heading.padStart(4, "0"))
    .refine((heading) => hsHeadings.has(heading), "is not a watched heading"),
});
type Record = z.output<typeof recordSchema>;

const maxExporters = 5;

/** Returns a country's imports of each heading in its newest year: the total and the largest partners. */
export function readImports(reporter: number, records: readonly unknown[]): ReportedImports {
  const rejected: Rejection[] = [];
  const byHeading = new Map<string, Map<string, Record>>();
  for (const [place, value] of records.entries()) {
    const read = readRow(recordSchema, value, `${reporter} #${place}`, rejected);
    if (!read) continue;
    const record = read;
    // The row of the world is a sum, and imports from the country itself are returned goods. Both are skipped.
    if (!isTotal(record) || record.partnerCode === world || record.partnerCode === reporter) continue;
    const key = `${record.refYear} ${record.partnerCode}`;
    const heading = byHeading.get(record.cmdCode) ?? new Map<string, Record>();
    byHeading.set(record.cmdCode, heading);
    if (record.reporterCode !== reporter)
      rejected.push({ row: `${reporter} #${place}`, reason: `is of reporter ${record.reporterCode}` });
    else if (heading.has(key)) rejected.push({ row: `${reporter} #${place}`, reason: `${key} occurs twice` });
    else heading.set(key, record);
  }
  const products = [...byHeading].flatMap(([hs4, heading]) => productOf(hs4, [...heading.values()]) ?? []);
  return { products, rejected };
}

function productOf(hs4: string, records: readonly Record[]): Product | undefined {
  const year = Math.max(...records.map(({ refYear }) => refYear));
  const partners = records
    .filter(({ refYear, primaryValue }) => refYear === year && primaryValue > 0)
    .sort((a, b) => b.primaryValue - a.primaryValue || a.partnerCode - b.partnerCode);
  const totalValue = partners.reduce((sum, { primaryValue }) => sum + primaryValue, 0);
  if (totalValue === 0) return undefined;
  return {
    hs4,
    description: hsHeadings.get(hs4) ?? "",
    totalValue,
    year,
    topExporters: partners.slice(0, maxExporters).map(({ partnerCode, primaryValue }) => ({
      partnerCode,
      partnerIso2: partnerIso2(partnerCode),
      value: primaryValue,
      share: rounded(primaryValue / totalValue, 3),
    })),
  };
}

export type Row = MessageInitShape<typeof CountryTradeSchema>;

export interface Reported {
  readonly reporter: number;
  readonly imports?: ReportedImports;
  readonly failure?: string;
  readonly status?: number | undefined;
}

const rememberedDays = 400;

/** Countries that a response does not contain keep their stored imports. */
export const remember: NonNullable<Source<Row>["remember"]> = {
  key: ({ iso2 }) => iso2 ?? "",
  retains: (row, now) => {
    const { reported } = row;
    return (
      reported?.case === "imports" &&
      now.getTime() - Date.parse(reported.value.fetchedAt ?? "") < rememberedDays * dayMs
    );
  },
};

const failuresInARow = 5;

/** Requests the imports of each country. Stops after several failures in a row. Throws if every request failed. */
export async function fetchEach(
  requested: readonly number[],
  sendRequest: (reporter: number) => Promise<ReportedImports>,
): Promise<Reported[]> {
  const reported: Reported[] = [];
  const failures: UpstreamError[] = [];
  for (const reporter of requested) {
    try {
      reported.push({ reporter, imports: await sendRequest(reporter) });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      failures.push(error);
      reported.push({ reporter, failure: error.message, status: error.status });
    }
    if (reported.slice(-failuresInARow).filter(({ failure }) => failure !== undefined).length === failuresInARow) {
      const rest = requested.slice(reported.length);
      reported.push(
        ...rest.map((left) => ({ reporter: left, failure: "not requested because other requests had failed" })),
      );
      break;
    }
  }
  if (failures.length > 0 && reported.every(({ failure }) => failure !== undefined)) throw failures[0];
  return reported;
}

const productSchema = z.object({ hs4: z.string() }).loose();
const importsSchema = z.object({
  products: z.array(productSchema),
  rejected: z.array(z.object({ row: z.string(), reason: z.string() })),
});
const reportedSchema = z.array(
  z.object({
    reporter: z.int(),
    imports: importsSchema.optional(),
    failure: z.string().optional(),
    status: z.number().optional(),
  }),
);

/** Parses the imports of all countries. A country without imports has no row. Throws if every request failed. */
export function countriesOf(response: unknown, now: Date): Parsed<Row> {
  const reported = reportedSchema.parse(response);
  const failed = reported.filter(({ failure }) => failure !== undefined);
  const fetchedAt = now.toISOString();
  return {
    rows: reported.flatMap(({ reporter, imports }) =>
      imports && imports.products.length > 0
        ? [
            {
              iso2: reporters.get(reporter) ?? "",
              reported: { case: "imports" as const, value: { products: imports.products, fetchedAt } },
            },
          ]
        : [],
    ),
    rejected: reported.flatMap(({ imports }) => imports?.rejected ?? []),
    missing: failed.map(({ reporter, failure: reason = "", status }) => ({
      part: reporters.get(reporter) ?? "",
      reason,
      status,
    })),
  };
}

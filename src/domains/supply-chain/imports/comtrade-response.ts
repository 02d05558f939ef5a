import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ImportedProductSchema } from "../../../../gen/es/ids/supply_chain/v1/country_products_pb.ts";
import { type Rejection, rejection } from "../../../ingest/source.ts";
import { isTotal, tradeRecordSchema, world } from "../../../providers/comtrade/comtrade.ts";
import { partnerIso2 } from "../../../providers/comtrade/comtrade-codes.ts";
import { rounded } from "../../../reference/rounding.ts";
import { hsHeadings } from "../../../reference/trade/hs-headings.ts";

type Product = MessageInitShape<typeof ImportedProductSchema>;

export interface ReportedImports {
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

/** Each heading has its newest year with the sum over all partners and the largest partners. */
export function readImports(reporter: number, records: readonly unknown[]): ReportedImports {
  const rejected: Rejection[] = [];
  const byHeading = new Map<string, Map<string, Record>>();
  for (const [place, value] of records.entries()) {
    const read = recordSchema.safeParse(value);
    if (!read.success) {
      rejected.push(rejection(`${reporter} #${place}`, read.error));
      continue;
    }
    const record = read.data;
    // The world's row is a sum, and imports from the country itself are returned goods.
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

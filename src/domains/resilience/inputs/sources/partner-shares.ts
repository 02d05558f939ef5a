import { z } from "zod";
import { type Rejection, rejection } from "../../../../ingest/source.ts";
import { isTotal, tradeRecordSchema, world } from "../../../../providers/comtrade/comtrade.ts";

interface PartnerShares {
  readonly reporter: number;
  readonly year: number;
  /** The Herfindahl index of the imports by partner, 0 to 1. */
  readonly hhi: number;
  /** Re-exports as a share of imports. */
  readonly reexports?: number;
}

const recordSchema = tradeRecordSchema.extend({ flowCode: z.enum(["M", "RX"]), cmdCode: z.literal("TOTAL") });
type Flow = z.output<typeof recordSchema>["flowCode"];
type Partners = ReadonlyMap<number, number>;

/** If several years have the same number, the newest one counts. */
export function readPartners(
  requested: readonly number[],
  records: readonly unknown[],
): { readonly countries: PartnerShares[]; readonly rejected: Rejection[] } {
  const rejected: Rejection[] = [];
  const flows = new Map<string, Map<number, number>>();
  for (const [place, value] of records.entries()) {
    const read = recordSchema.safeParse(value);
    if (!read.success) {
      rejected.push(rejection(`${requested[0]} #${place}`, read.error));
      continue;
    }
    const { reporterCode, refYear, flowCode, partnerCode, primaryValue } = read.data;
    if (!isTotal(read.data)) continue;
    const key = flowKey(reporterCode, refYear, flowCode);
    const partners = flows.get(key) ?? new Map<number, number>();
    flows.set(key, partners);
    if (!requested.includes(reporterCode)) rejected.push({ row: key, reason: "was not requested" });
    else if (partners.has(partnerCode)) rejected.push({ row: `${key} ${partnerCode}`, reason: "occurs twice" });
    else partners.set(partnerCode, primaryValue);
  }
  return { countries: requested.flatMap((reporter) => sharesOf(reporter, flows) ?? []), rejected };
}

function flowKey(reporter: number, year: number, flow: Flow): string {
  return `${reporter} ${year} ${flow}`;
}

function sharesOf(reporter: number, flows: ReadonlyMap<string, Partners>): PartnerShares | undefined {
  const [best] = [...flows]
    .flatMap(([key, partners]) => {
      const year = Number(key.split(" ")[1]);
      const values = key === flowKey(reporter, year, "M") ? foreign(partners, reporter) : [];
      return values.length > 0 ? [{ year, values, partners }] : [];
    })
    .sort((a, b) => b.values.length - a.values.length || b.year - a.year);
  if (!best) return undefined;
  const { year, values, partners } = best;
  const total = sumOf(values);
  const collected = { reporter, year, hhi: values.reduce((sum, value) => sum + (value / total) ** 2, 0) };
  const reexported = flows.get(flowKey(reporter, year, "RX"));
  return reexported
    ? { ...collected, reexports: totalValue(reexported, reporter) / totalValue(partners, reporter) }
    : collected;
}

/** The world is a sum, and imports from the country itself are returned goods. */
function foreign(partners: Partners, reporter: number): number[] {
  return [...partners].flatMap(([partner, value]) =>
    partner === world || partner === reporter || value === 0 ? [] : [value],
  );
}

/** Returns the value of the world's row, or the sum if there is no such row. */
function totalValue(partners: Partners, reporter: number): number {
  return partners.get(world) || sumOf(foreign(partners, reporter));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

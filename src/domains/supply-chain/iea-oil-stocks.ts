import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { BufferReadingSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { type Country, countryByName } from "../../reference/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";

type Reading = MessageInitShape<typeof BufferReadingSchema>;

const address = "https://api.iea.org/netimports";
/** More days than this are a country with hardly any imports, or a mistake. */
const mostDays = 500;
/** What the stocks are of. */
const commodities = ["crude_oil", "refined_petroleum"];

/** International Energy Agency: emergency oil stocks of its members in days of net imports, two to three months late. */
export const ieaOilStocks: Source<Reading> = {
  name: "iea-oil-stocks",
  licence: { kind: "non-commercial", terms: "IEA terms of use, oil stocks of IEA countries" },
  variables: [],
  rows: { atLeast: 30, mayBeEmpty: false },
  fetch: fetchNewestMonth,
  parse,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

const latestSchema = z.object({
  year: z.coerce.number().int().min(2000).max(2100),
  month: z.coerce.number().int().min(1).max(12),
});

async function fetchNewestMonth(upstream: Upstream): Promise<unknown> {
  const latest = latestSchema.safeParse(await upstream.json({ url: `${address}/latest` }));
  if (!latest.success) throw new UpstreamError(`IEA: ${rejection("", latest.error).reason}`);
  const { year, month } = latest.data;
  const query = new URLSearchParams({ year: String(year), month: String(month).padStart(2, "0") });
  return upstream.json({ url: `${address}/monthly/?${query}` });
}

const listSchema = z.array(z.unknown());
const rowSchema = z.object({
  countryName: z.string().trim().min(1),
  yearMonth: z
    .string()
    .regex(/^\d{4}(0[1-9]|1[0-2])$/, "is no month")
    .transform(lastDayOf),
  total: z.union([z.number(), z.string().trim()]),
});
const daysSchema = z.coerce.number().min(0).max(mostDays);

/** Averages of several countries. */
const aggregate = /^(total|iea)\b/i;
/** Says that there are no net imports, and not how long the stocks last. */
const exporter = /^net exporter$/i;

function parse(answer: unknown): Parsed<Reading> {
  const list = listSchema.safeParse(answer);
  if (!list.success) throw new UpstreamError("IEA answered in another format: no rows");
  const rows: Reading[] = [];
  const rejected: Rejection[] = [];
  for (const [place, value] of list.data.entries()) {
    const read = rowSchema.safeParse(value);
    if (!read.success) {
      rejected.push(rejection(`#${place}`, read.error));
      continue;
    }
    const { countryName, yearMonth: asOf, total } = read.data;
    if (aggregate.test(countryName) || exporter.test(String(total))) continue;
    const country = countryNamed(countryName);
    const days = daysSchema.safeParse(total === "" ? undefined : total);
    if (!country) rejected.push({ row: countryName, reason: "is no country" });
    else if (!days.success) rejected.push({ row: countryName, reason: `total: no number of days up to ${mostDays}` });
    else rows.push(...commodities.map((id) => readingOf(country, id, days.data, asOf)));
  }
  return { rows, rejected };
}

/** The agency's names that no one else means so. */
const ownNames: Readonly<Record<string, string>> = { Korea: "Korea, Republic of" };

function countryNamed(name: string): Country | undefined {
  return countryByName(ownNames[name] ?? name) ?? countryByName(name.replace(/^(the )?republic of /i, ""));
}

function readingOf({ alpha2 }: Country, commodityId: string, measure: number, asOf: string): Reading {
  const detail = `Oil stocks in days of net imports, ${asOf.slice(0, 7)}`;
  return { iso2: alpha2, commodityId, kind: "fuel_stock_days", measure, asOf, detail };
}

function lastDayOf(yearMonth: string): string {
  return new Date(Date.UTC(Number(yearMonth.slice(0, 4)), Number(yearMonth.slice(4)), 0)).toISOString().slice(0, 10);
}

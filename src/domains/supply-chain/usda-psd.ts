import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { BufferReadingSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { rounded } from "../../rounded.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { type Reporter, readReporters } from "./psd-reporters.ts";

type Reading = MessageInitShape<typeof BufferReadingSchema>;

const address = "https://api.fas.usda.gov/api/psd";
/** Our commodities by the upstream's codes. */
const commodities = new Map([
  ["0410000", "wheat"],
  ["0440000", "corn"],
  ["0422110", "rice"],
  ["2222000", "soybeans"],
  ["0430000", "barley"],
  ["4243000", "palm_oil"],
]);
/** The attributes that make stocks to use. */
const attributes = { stocks: 176, consumption: 125, exports: 88 } as const;
const attributeIds: readonly number[] = Object.values(attributes);

/** USDA Production, Supply and Distribution: monthly estimates of the marketing year's end, by country. */
export const usdaPsd: Source<Reading> = {
  name: "usda-psd",
  licence: { kind: "open", terms: "US government, public domain; USDA Foreign Agricultural Service" },
  variables: ["USDA_API_KEY"],
  rows: { atLeast: 250, mayBeEmpty: false },
  fetch: fetchYears,
  parse,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

const answerSchema = z.object({ countries: z.unknown(), releases: z.array(z.unknown()) });

/** The marketing year that begins in this calendar year, which is told of from May on, and the one before. */
async function fetchYears(upstream: Upstream): Promise<z.input<typeof answerSchema>> {
  const headers = { "X-Api-Key": upstream.variable("USDA_API_KEY") };
  const countries = await upstream.json({ url: `${address}/countries`, headers });
  const year = upstream.now.getUTCFullYear();
  const releases: unknown[] = [];
  for (const code of commodities.keys())
    for (const marketYear of [year, year - 1])
      releases.push(
        await upstream.json({ url: `${address}/commodity/${code}/country/all/year/${marketYear}`, headers }),
      );
  return { countries, releases };
}

const number = z.coerce.number();
const rowSchema = z.object({
  commodityCode: z.string(),
  countryCode: z.string(),
  marketYear: number.int(),
  calendarYear: number.int().min(1960).max(2100),
  month: number.int().min(0).max(12),
  attributeId: z.number(),
  value: z.number().min(0),
});
type Row = z.output<typeof rowSchema>;
const attributeSchema = z.object({ attributeId: z.literal(attributeIds) });

function parse(answer: unknown): Parsed<Reading> {
  const { countries, releases } = answerSchema.parse(answer);
  const reporters = readReporters(countries);
  const rejected: Rejection[] = [];
  const known: Row[] = [];
  for (const [place, value] of releases.flatMap(listOf).entries()) {
    if (!attributeSchema.safeParse(value).success) continue;
    const read = rowSchema.safeParse(value);
    if (read.success) known.push(read.data);
    else rejected.push(rejection(`#${place}`, read.error));
  }
  const byReporter = Map.groupBy(known, ({ commodityCode, countryCode }) => `${commodityCode} ${countryCode}`);
  const balances = [...byReporter].flatMap(([row, rows]) => {
    const balance = balanceOf(rows, reporters);
    if ("reason" in balance) rejected.push({ row, reason: balance.reason });
    return "reason" in balance ? [] : [balance];
  });
  return { rows: readingsOf(balances), rejected };
}

function listOf(release: unknown): unknown[] {
  if (!Array.isArray(release)) throw new UpstreamError("USDA answered in another format: no rows");
  return release;
}

/** Stocks to use of one reporter. */
interface Balance {
  readonly commodityId: string;
  readonly reporter: Reporter;
  readonly marketYear: number;
  readonly ratio: number;
  readonly asOf: string;
}

/** The newest marketing year of which all is told, from the newest estimates: every revision is sent. */
function balanceOf(rows: readonly Row[], reporters: ReadonlyMap<string, Reporter>): Balance | { reason: string } {
  const [{ commodityCode = "", countryCode = "" } = {}] = rows;
  const commodityId = commodities.get(commodityCode);
  const reporter = reporters.get(countryCode);
  if (!commodityId) return { reason: "was not asked for" };
  if (!reporter || reporter.countries.length === 0) return { reason: `${reporter?.name ?? "its code"} is no country` };
  const years = [...Map.groupBy(rows, ({ marketYear }) => marketYear)].sort(([a], [b]) => b - a);
  for (const [marketYear, ofYear] of years) {
    const [stocks, consumption, exports] = Object.values(attributes).map((id) => newest(ofYear, id));
    const use = (consumption?.value ?? 0) + (exports?.value ?? 0);
    if (!stocks || !consumption || !exports || use === 0) continue;
    const asOf = `${stocks.calendarYear}-${String(Math.max(stocks.month, 1)).padStart(2, "0")}-01`;
    return { commodityId, reporter, marketYear, ratio: rounded(stocks.value / use, 6), asOf };
  }
  return { reason: "tells of no stocks and use" };
}

function newest(rows: readonly Row[], attribute: number): Row | undefined {
  return rows
    .filter(({ attributeId }) => attributeId === attribute)
    .sort((a, b) => b.calendarYear - a.calendarYear || b.month - a.month)[0];
}

/** One of each country; a member that reports for itself is told of by that, and not by the union it belongs to. */
function readingsOf(balances: readonly Balance[]): Reading[] {
  const readings = new Map<string, Reading>();
  for (const balance of balances.toSorted((a, b) => b.reporter.countries.length - a.reporter.countries.length)) {
    const { commodityId, reporter, marketYear, ratio: measure, asOf } = balance;
    const years = `${marketYear}/${String((marketYear + 1) % 100).padStart(2, "0")}`;
    const detail = `Ending stocks over consumption and exports, marketing year ${years}, as ${reporter.name}`;
    for (const iso2 of reporter.countries)
      readings.set(`${commodityId} ${iso2}`, { iso2, commodityId, kind: "stocks_to_use", measure, asOf, detail });
  }
  return [...readings.values()];
}

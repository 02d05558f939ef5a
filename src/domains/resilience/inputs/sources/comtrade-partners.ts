import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readRows, type Source } from "../../../../ingest/source.ts";
import {
  comtradeAddress,
  comtradeKey,
  comtradeMetadata,
  isTotal,
  recordsOf,
  requestWithRetries,
  totalsOnly,
  tradeRecordSchema,
  world,
} from "../../../../providers/comtrade/comtrade.ts";
import { reporters } from "../../../../providers/comtrade/comtrade-codes.ts";
import { total } from "../../../../reference/sums.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { seriesOf } from "../../inputs.ts";
import { type InputRow, observedAt } from "../series.ts";

interface PartnerShares {
  readonly reporter: number;
  readonly year: number;
  /** How much the country's imports depend on few partners, as a Herfindahl index from 0 to 1. */
  readonly hhi: number;
  /** The share of its imports that the country exports again. Absent if it is unknown. */
  readonly reexports?: number;
}

const recordSchema = tradeRecordSchema.extend({ flowCode: z.enum(["M", "RX"]), cmdCode: z.literal("TOTAL") });
type Flow = z.output<typeof recordSchema>["flowCode"];
type Partners = ReadonlyMap<number, number>;

/** Returns the year with the most partners. If several years have the same number, it is the newest one. */
export function readPartners(requested: readonly number[], records: readonly unknown[]) {
  const rejected: Rejection[] = [];
  const flows = new Map<string, Map<number, number>>();
  for (const read of readRows(recordSchema, records, rejected, (place) => `${requested[0]} #${place}`)) {
    const { reporterCode, refYear, flowCode, partnerCode, primaryValue } = read;
    if (!isTotal(read)) continue;
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
  const whole = total(values);
  const collected = { reporter, year, hhi: values.reduce((sum, value) => sum + (value / whole) ** 2, 0) };
  const reexported = flows.get(flowKey(reporter, year, "RX"));
  return reexported
    ? { ...collected, reexports: totalValue(reexported, reporter) / totalValue(partners, reporter) }
    : collected;
}

/** Returns imports from other countries, without the sum for the world and goods returned from the country itself. */
function foreign(partners: Partners, reporter: number): number[] {
  return [...partners].flatMap(([partner, value]) =>
    partner === world || partner === reporter || value === 0 ? [] : [value],
  );
}

/** Returns the imports from the world. If the response has no row of the world, returns the sum of the partners. */
function totalValue(partners: Partners, reporter: number): number {
  return partners.get(world) || total(foreign(partners, reporter));
}

const name = "comtrade-partners";
/** How many years ago the requested years are. The year with the most partners is used: new ones are incomplete. */
const yearsBack = [1, 2, 3, 4];
const reportersAtOnce = 10;
/** The maximum number of rows in a response. A response with this number may be truncated. */
const maxRows = 100_000;
const failuresInARow = 2;
/** A smaller share of re-exports is probably an error and is ignored. A greater share is reduced to the maximum. */
const reexports = { min: 0.05, max: 0.95 };

/** From UN Comtrade: how much a country's imports depend on few partners, and which share it exports again. */
export const comtradePartners: Source<InputRow> = {
  name,
  ...comtradeMetadata,
  rows: { atLeast: 135, mayBeEmpty: false },
  fetch: fetchAll,
  parse: parseShares,
  partOf: ({ country = "" }) => country,
  observedAt,
  minutesApart: 24 * 24 * 60,
};

const collectedSchema = z.array(
  z.object({
    reporters: z.array(z.int()),
    countries: z
      .array(z.object({ reporter: z.int(), year: z.int(), hhi: z.number(), reexports: z.number().optional() }))
      .optional(),
    rejected: z.array(z.object({ row: z.string(), reason: z.string() })).optional(),
    failure: z.string().optional(),
    status: z.number().optional(),
  }),
);
type Collected = z.input<typeof collectedSchema>;

/**
 * Requests all countries. Each response is reduced at once, because all together take hundreds of megabytes. Throws if
 * every request failed.
 */
async function fetchAll(upstream: Upstream): Promise<Collected> {
  const codes = [...reporters.keys()];
  const collected: Collected = [];
  const failures: UpstreamError[] = [];
  for (let start = 0; start < codes.length; start += reportersAtOnce) {
    const requested = codes.slice(start, start + reportersAtOnce);
    try {
      collected.push({ reporters: requested, ...readPartners(requested, await requestFor(upstream, requested)) });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      failures.push(error);
      collected.push({ reporters: requested, failure: error.message, status: error.status });
    }
    if (collected.slice(-failuresInARow).filter(({ failure }) => failure !== undefined).length === failuresInARow) {
      const rest = codes.slice(start + reportersAtOnce);
      if (rest.length > 0)
        collected.push({ reporters: rest, failure: "not requested because other requests had failed" });
      break;
    }
  }
  if (failures.length > 0 && collected.every(({ failure }) => failure !== undefined)) throw failures[0];
  return collected;
}

async function requestFor(upstream: Upstream, requested: readonly number[]): Promise<readonly unknown[]> {
  const year = upstream.now.getUTCFullYear();
  const flows = seriesOf(name).map(({ series }) => series);
  const query = new URLSearchParams({
    reporterCode: requested.join(),
    flowCode: flows.join(),
    cmdCode: "TOTAL",
    period: yearsBack.map((back) => year - back).join(),
    ...totalsOnly,
    maxRecords: "250000",
  });
  const headers = { "Ocp-Apim-Subscription-Key": upstream.variable(comtradeKey) };
  const records = recordsOf(await requestWithRetries(upstream, { url: `${comtradeAddress}?${query}`, headers }));
  if (records.length >= maxRows) throw new UpstreamError(`Comtrade: ${records.length} rows, and more may be missing`);
  return records;
}

function parseShares(response: unknown): Parsed<InputRow> {
  const collected = collectedSchema.parse(response);
  const failed = collected.filter(({ failure }) => failure !== undefined);
  const [first] = failed;
  if (first && failed.length === collected.length) throw new UpstreamError(first.failure ?? "");
  const countries = collected.flatMap(({ countries }) => countries ?? []);
  const rows = seriesOf(name).flatMap(({ series, input }) =>
    countries.flatMap(({ reporter, year, hhi, reexports: share }) => {
      const value = input === "importHhi" ? hhi : shareOf(share);
      const country = reporters.get(reporter);
      return country && value !== undefined ? [{ country, input, value, period: String(year), series }] : [];
    }),
  );
  return {
    rows,
    rejected: collected.flatMap(({ rejected }) => rejected ?? []),
    missing: failed.flatMap(({ reporters: requested, failure: reason = "", status }) =>
      requested.flatMap((reporter) => {
        const part = reporters.get(reporter);
        return part === undefined ? [] : [{ part, reason, status }];
      }),
    ),
  };
}

function shareOf(share: number | undefined): number | undefined {
  return share === undefined || share < reexports.min ? undefined : Math.min(share, reexports.max);
}

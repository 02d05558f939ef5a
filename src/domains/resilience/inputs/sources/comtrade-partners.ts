import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import type { Parsed, Source } from "../../../../ingest/source.ts";
import {
  comtradeAddress,
  comtradeKey,
  comtradeMetadata,
  recordsOf,
  requestWithRetries,
} from "../../../../providers/comtrade/comtrade.ts";
import { reporters } from "../../../../providers/comtrade/comtrade-codes.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { seriesOf } from "../../inputs.ts";
import { type InputRow, observedAt } from "../series.ts";
import { readPartners } from "./partner-shares.ts";

const name = "comtrade-partners";
/** The year with the most partners is used, because the newest year is often incomplete. */
const yearsBack = [1, 2, 3, 4];
const reportersAtOnce = 10;
/** A response with this number of rows may be truncated. */
const maxRows = 100_000;
const failuresInARow = 2;
/** Smaller shares are recording errors, and greater ones are capped. */
const reexports = { min: 0.05, max: 0.95 };

/** UN Comtrade reports the concentration of a country's imports on partners, and the share that is re-exported. */
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
 * Records are reduced immediately, because all together take hundreds of megabytes. If every request fails, it throws
 * the first error.
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
    partner2Code: "0",
    customsCode: "C00",
    motCode: "0",
    includeDesc: "false",
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

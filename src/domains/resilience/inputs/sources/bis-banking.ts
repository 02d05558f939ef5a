import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import type { Parsed, Rejection, Source } from "../../../../ingest/source.ts";
import { countries } from "../../../../reference/countries/countries.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { seriesOf } from "../../inputs.ts";
import { joined, newestOf, type Reported } from "../newest.ts";
import { observationsOf } from "../sdmx-json.ts";
import { type InputRow, observedAt, partOf } from "../series.ts";
import { bisAddress, bisLicense, lastDayOf } from "./bis.ts";

const name = "bis-banking";
const homes = "US GB DE FR IT NL ES BE AT IE LU CH JP CA AU SG".split(" ");
/** If fewer home countries are available, the series counts as missing. */
const minHomes = 12;
const headers = { accept: "application/vnd.sdmx.data+json;version=1.0.0" };
/** Claims are in millions. */
const dollars = 1e6;

/**
 * The BIS consolidated banking statistics: the debt of each country to banks of sixteen home countries, in the newest
 * quarter.
 */
export const bisBanking: Source<InputRow> = {
  name,
  license: bisLicense,
  variables: [],
  pace: { spacingMs: 500 },
  // Sixteen home countries have claims on 60 to 190 countries each.
  rows: { atLeast: 500, mayBeEmpty: false },
  fetch: fetchAll,
  parse: parseClaims,
  partOf,
  observedAt,
};

const collectedSchema = z.array(
  z.object({
    home: z.string(),
    answer: z.unknown().optional(),
    failure: z.string().optional(),
    status: z.number().optional(),
  }),
);

/** A few failed home countries do not make the fetch fail. If too many fail, it throws the first error. */
async function fetchAll(upstream: Upstream): Promise<z.input<typeof collectedSchema>> {
  const collected: z.input<typeof collectedSchema> = [];
  const failures: UpstreamError[] = [];
  for (const { series } of seriesOf(name))
    for (const home of homes) {
      // The request reads stocks of claims of a country's own banks (4B), of all maturities, currencies, and sectors,
      // on all counterparties.
      const url = `${bisAddress}/${series}/Q.S.${home}.4B.F.C.A.A.TO1.A.?lastNObservations=4`;
      try {
        collected.push({ home, answer: await upstream.json({ url, headers }) });
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failures.push(error);
        collected.push({ home, failure: error.message, status: error.status });
      }
    }
  const [first] = failures;
  if (first && collected.length - failures.length < minHomes) throw first;
  return collected;
}

function parseClaims(response: unknown, now: Date): Parsed<InputRow> {
  const collected = collectedSchema.parse(response);
  const failed = collected.filter(({ failure }) => failure !== undefined);
  const missing = failed.flatMap(({ home, failure: reason = "", status }) =>
    seriesOf(name).map(({ series }) => ({ part: partName(series, home), reason, status })),
  );
  const claims = collected.flatMap(({ home, answer: one, failure }) =>
    failure === undefined ? [claimsOf(home, one, now)] : [],
  );
  return joined([{ rows: [], rejected: [], missing }, ...claims]);
}

/** The claims of one home country are a separate series. */
function partName(series: string, home: string): string {
  return `${series} ${home}`;
}

/** Returns the newest claims on each country. Groups such as `5J` and claims on the home country are omitted. */
function claimsOf(home: string, response: unknown, now: Date): Parsed<InputRow> {
  const values: Reported[] = [];
  const rejected: Rejection[] = [];
  for (const { of, period, value } of observationsOf(`BIS ${home}`, response)) {
    const { L_CP_COUNTRY: country = "", L_REP_CTY: reporter } = of;
    const day = lastDayOf(period);
    if (reporter !== home || day === undefined)
      rejected.push({ row: `${home} ${country} ${period}`, reason: "is of another home country, or of no quarter" });
    // Negative positions are hedges of others.
    else if (countries.has(country) && country !== home && value >= 0 && Date.parse(day) <= now.getTime())
      values.push({ country, period: day, value: value * dollars });
  }
  const parts = seriesOf(name).map(({ series, input }) => newestOf({ series: partName(series, home), input }, values));
  return joined([...parts, { rows: [], rejected }]);
}

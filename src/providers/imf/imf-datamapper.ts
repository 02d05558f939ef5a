import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { type Rejection, readAs, rejection, type Source } from "../../ingest/source.ts";
import { countryByAlpha3 } from "../../reference/countries/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://www.imf.org/external/datamapper/api/v1";

/** The DataMapper has the World Economic Outlook and the Fiscal Monitor. It needs no key. */
export const dataMapperMetadata = {
  license: {
    kind: "non-commercial",
    terms: "IMF, World Economic Outlook and Fiscal Monitor: attribution, commercial use limited",
  },
  variables: [],
  // After a burst of six to ten calls, requests are rejected with a 403 for up to a minute.
  pace: { spacingMs: 3_000, tooOften: [403] },
  access: {
    rejection:
      "A burst of requests exceeded its limit, for up to a minute. Some users report that it also rejects requests without an Accept header.",
  },
} as const satisfies Partial<Source<unknown>>;

export interface YearValue {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly year: number;
  readonly value: number;
}

export async function fetchDataMapper(upstream: Upstream, series: string): Promise<unknown> {
  const response = await upstream.json({ url: `${address}/${series}` });
  if (catalogueSchema.safeParse(response).success)
    throw new UpstreamError(`IMF has no series ${series}`, { status: 404 });
  return response;
}

/** For an unknown series, the response is a list of all countries with a success status. */
const catalogueSchema = z.object({ countries: z.looseObject({}), values: z.undefined().optional() });
/** The response also has a series without a name, which is null. */
const responseSchema = z.object({ values: z.record(z.string(), z.unknown()) });
const countriesSchema = z.record(z.string(), z.unknown());
/** Values by year. A country without any value is an empty list. */
const yearsSchema = z.union([z.record(z.string().regex(/^\d{4}$/), z.number().nullable()), z.tuple([])]);
/** The IMF uses its own codes for Kosovo, and for the West Bank and Gaza. */
const ownCodes: Readonly<Record<string, string>> = { UVK: "XKX", WBG: "PSE" };

/** Returns the values of the newest years up to the current one. Later years are forecasts and are ignored. */
export function readDataMapper(
  series: string,
  response: unknown,
  { now, years }: { readonly now: Date; readonly years: number },
): { readonly values: readonly YearValue[]; readonly rejected: readonly Rejection[] } {
  const read = readAs(`IMF ${series}`, countriesSchema, responseSchema.safeParse(response).data?.values[series]);
  const newest = now.getUTCFullYear();
  const values: YearValue[] = [];
  const rejected: Rejection[] = [];
  for (const [alpha3, reported] of Object.entries(read)) {
    // Groups such as `EURO` are omitted.
    const country = countryByAlpha3(ownCodes[alpha3] ?? alpha3)?.alpha2;
    if (country === undefined) continue;
    const byYear = yearsSchema.safeParse(reported);
    if (!byYear.success) rejected.push(rejection(`${series} ${alpha3}`, byYear.error));
    else
      for (const [year, value] of Object.entries(byYear.data))
        if (value !== null && Number(year) <= newest && Number(year) > newest - years)
          values.push({ country, year: Number(year), value: Number(value) });
  }
  return { values, rejected };
}

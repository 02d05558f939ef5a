import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { type Rejection, readAs, rejection, type Source } from "../../ingest/source.ts";
import { countryByAlpha3 } from "../../reference/countries/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://www.imf.org/external/datamapper/api/v1";

/** The source of the World Economic Outlook and the Fiscal Monitor. It requires no key. */
export const dataMapperMetadata = {
  license: {
    kind: "non-commercial",
    publisher: "IMF",
    terms: "IMF, World Economic Outlook and Fiscal Monitor: attribution, commercial use limited",
  },
  // After six to ten fast calls, the source rejects requests with a 403 for up to a minute.
  pace: { spacingMs: 3_000, tooOften: [403] },
  access: {
    rejection:
      "A burst of requests exceeded its limit, for up to a minute. Some users report that it also rejects requests without an Accept header.",
  },
} as const satisfies Partial<Source<unknown>>;

export interface YearValue {
  /** The ISO 3166-1 alpha-2 code of the country. */
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

/** For an unknown series, the IMF sends this list of countries with a success status instead of an error. */
const catalogueSchema = z.object({ countries: z.looseObject({}), values: z.undefined().optional() });
/** Values by series. The response also contains a series with the value null, which must not fail the schema. */
const responseSchema = z.object({ values: z.record(z.string(), z.unknown()) });
const countriesSchema = z.record(z.string(), z.unknown());
/** Values by year. For a country without values, the IMF sends an empty list instead of an object. */
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
    // Groups of countries, such as `EURO`, are omitted.
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

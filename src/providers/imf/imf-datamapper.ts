import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { rejection } from "../../ingest/rejection.ts";
import type { Rejection, Source } from "../../ingest/source.ts";
import { countryByAlpha3 } from "../../reference/countries/countries.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://www.imf.org/external/datamapper/api/v1";

/** World Economic Outlook and Fiscal Monitor by the IMF's DataMapper, which needs no key: what every source that reads it says of itself. */
export const dataMapperMetadata = {
  license: {
    kind: "non-commercial",
    terms: "IMF, World Economic Outlook and Fiscal Monitor: attribution, commercial use limited",
  },
  variables: [],
  // Bursts of six to ten calls are turned away with a 403, for up to a minute.
  pace: { spacingMs: 3_000, tooOften: [403] },
  access: {
    rejection:
      "It was asked too often in a burst, which passes within a minute; it is also reported to refuse requests without an Accept header.",
  },
} as const satisfies Partial<Source<unknown>>;

/** A value of a country in a year. */
export interface YearValue {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly year: number;
  readonly value: number;
}

/** Asks for a series: all countries, all years. */
export async function fetchDataMapper(upstream: Upstream, series: string): Promise<unknown> {
  const response = await upstream.json({ url: `${address}/${series}` });
  if (catalogueSchema.safeParse(response).success)
    throw new UpstreamError(`IMF has no series ${series}`, { status: 404 });
  return response;
}

/** To an unknown series a list of all countries is answered, as a success. */
const catalogueSchema = z.object({ countries: z.looseObject({}), values: z.undefined().optional() });
/** Beside the series there is a nameless one, which is null. */
const responseSchema = z.object({ values: z.record(z.string(), z.unknown()) });
const countriesSchema = z.record(z.string(), z.unknown());
/** By year. A country without any value is an empty list. */
const yearsSchema = z.union([z.record(z.string().regex(/^\d{4}$/), z.number().nullable()), z.tuple([])]);
/** Kosovo, and the West Bank and Gaza, in the IMF's own letters. */
const ownCodes: Readonly<Record<string, string>> = { UVK: "XKX", WBG: "PSE" };

/** The values of the newest years up to now: what is later than the current year is a forecast, and never read. */
export function readDataMapper(
  series: string,
  response: unknown,
  { now, years }: { readonly now: Date; readonly years: number },
): { readonly values: readonly YearValue[]; readonly rejected: readonly Rejection[] } {
  const read = countriesSchema.safeParse(responseSchema.safeParse(response).data?.values[series]);
  if (!read.success) throw new UpstreamError(`IMF ${series}: ${rejection("", read.error).reason}`);
  const newest = now.getUTCFullYear();
  const values: YearValue[] = [];
  const rejected: Rejection[] = [];
  for (const [alpha3, reported] of Object.entries(read.data)) {
    // Groups such as `EURO` are no countries.
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

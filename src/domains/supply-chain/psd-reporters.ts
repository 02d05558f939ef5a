import { z } from "zod";
import { UpstreamError } from "../../errors.ts";
import { countryByAlpha3, countryByName } from "../../reference/countries.ts";
import { europeanUnion } from "../../reference/european-union.ts";

/** Who reports under a code: one country, or all that report as one. */
export interface Reporter {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
}

const listSchema = z
  .array(
    z.object({
      countryCode: z.string().trim().min(1),
      countryName: z.string().trim(),
      gencCode: z.string().trim().nullish(),
    }),
  )
  .min(1);

/** The reporters by code, which looks like ISO and is not: `TU` is Turkey. What is no country now has none. */
export function readReporters(answer: unknown): ReadonlyMap<string, Reporter> {
  const read = listSchema.safeParse(answer);
  if (!read.success) throw new UpstreamError("USDA sent no list of countries");
  return new Map(
    read.data.map(({ countryCode, countryName: name, gencCode }) => [
      countryCode,
      { name, countries: countriesOf(name, gencCode ?? "") },
    ]),
  );
}

function countriesOf(name: string, alpha3: string): readonly string[] {
  if (/^european union$/i.test(name)) return europeanUnion;
  const country = countryByAlpha3(alpha3) ?? countryByName(name);
  return country ? [country.alpha2] : [];
}

import type { SampleFolder } from "../folder.ts";
import { decimal, placeholder } from "../format/decimal.ts";
import { asNumber, linesOf } from "../format/json-lines.ts";
import { randomOf } from "../random.ts";
import { profiles } from "../world/country-profiles.ts";
import { isReported } from "../world/silence.ts";
import { type Society, societyOf } from "../world/society.ts";

interface HealthSeries {
  readonly code: string;
  readonly of: keyof Society;
  readonly digits: number;
  /** Years of the series, relative to the current year. */
  readonly years: readonly number[];
  /** Share of the years that a country reports. The first year is always reported. */
  readonly reported: number;
  /** Share of the countries that report nothing. */
  readonly silent: number;
}

const series: readonly HealthSeries[] = [
  { code: "UHC_INDEX_REPORTED", of: "healthCoverage", digits: 1, years: [-7, -5, -3], reported: 1, silent: 0.01 },
  { code: "WHS8_110", of: "measles", digits: 0, years: [-6, -5, -4, -3, -2, -1], reported: 1, silent: 0.01 },
  { code: "WHS6_102", of: "hospitalBeds", digits: 1, years: [-14, -11, -9, -7, -5], reported: 0.6, silent: 0.12 },
  { code: "HWF_0001", of: "physicians", digits: 3, years: [-8, -7, -6, -5, -4, -3], reported: 0.6, silent: 0.03 },
  {
    code: "GHED_CHE_pc_US_SHA2011",
    of: "healthSpending",
    digits: 5,
    years: [-6, -5, -4, -3],
    reported: 1,
    silent: 0.02,
  },
];
/** Share of the rows without a value. */
const emptyShare = 0.008;
const pageSize = 1_000;
const address = "https://ghoapi.azureedge.net/api";
/** The WHO has no values of Taiwan, Hong Kong, Macao, Puerto Rico, Liechtenstein and Kosovo. */
const members = profiles.filter(({ alpha2 }) => !"TW HK MO PR LI XK".split(" ").includes(alpha2));

/** Returns the WHO's values of each country's health services. */
export function sample(): SampleFolder {
  const tables = series.map((one) => ({ code: one.code, ...rowsOf(one) }));
  const pages = tables.flatMap(({ code, rows }) =>
    Array.from({ length: Math.floor(rows.length / pageSize) + 1 }, (_, page) => ({
      ...{ code, skip: page * pageSize, file: `${code}-${page + 1}.json` },
      rows: rows.slice(page * pageSize, (page + 1) * pageSize),
    })),
  );
  return {
    index: {
      note: "Illustrative health indicators with invented values in the form of the WHO's Global Health Observatory API; hospital beds and doctors have values in few years.",
      rows: tables.reduce((sum, { countries }) => sum + countries, 0),
      responses: pages.map(({ code, skip, file }) => ({
        ...{ url: `${address}/${code}?`, query: { $skip: String(skip) }, file },
      })),
    },
    files: Object.fromEntries(pages.map(({ code, rows, file }) => [file, page(code, rows)])),
  };
}

function page(code: string, rows: readonly unknown[]): string {
  const context = `${address}/$metadata#${code}(SpatialDim,TimeDim,Dim1,NumericValue)`;
  return linesOf(`{"@odata.context":${JSON.stringify(context)},"value":[`, rows, "]}");
}

/** Returns the rows, and the number of countries with a value. */
function rowsOf({ code, of, digits, years, reported, silent }: HealthSeries) {
  let countries = 0;
  const rows = members
    .filter((profile) => isReported(profile, code, silent))
    .flatMap(({ alpha2, alpha3 }) => {
      const { unit } = randomOf("who", code, alpha2);
      const chosen = years.filter((_, place) => unit() < reported || place === 0);
      const values = chosen.map((year) => ({
        year,
        value: unit() < emptyShare ? null : decimal(societyOf(alpha2, year)[of], digits),
      }));
      if (values.some(({ value }) => value !== null)) countries += 1;
      return values.map(({ year, value }) => ({
        ...{ SpatialDim: alpha3, TimeDim: asNumber(placeholder("year", year)), Dim1: null, NumericValue: value },
      }));
    });
  return { rows, countries };
}

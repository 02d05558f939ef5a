import type { SampleFolder } from "../folder.ts";
import { linesOf } from "../format/json-lines.ts";
import { randomOf } from "../random.ts";

const month = "{{month-3 YYYYMM}}";
/** Usual stocks in days of net imports, by the agency's names of countries. */
const holders: Readonly<Record<string, number>> = {
  ...{ Australia: 58, Austria: 100, Belgium: 100, "Czech Republic": 97, Denmark: 330, Finland: 190, France: 112 },
  ...{ Germany: 121, Greece: 96, Hungary: 112, Ireland: 91, Italy: 116, Japan: 195, Korea: 196, Latvia: 91 },
  ...{ Lithuania: 96, Luxembourg: 91, "The Netherlands": 165, "New Zealand": 88, Poland: 118, Portugal: 102 },
  ...{ "Slovak Republic": 100, Spain: 106, Sweden: 128, Switzerland: 126, "Republic of Türkiye": 97 },
  ...{ "United Kingdom": 124 },
};
const exporters = ["Canada", "Mexico", "Norway", "United States"];
/** This country has hardly any imports, so that its number of days is very high. */
const odd = "Estonia";
const averages: Readonly<Record<string, number>> = {
  ...{ "Total IEA net importers": 138, "IEA Asia Oceania": 176, "IEA Europe": 122 },
};

/** Returns emergency stocks of oil. */
export function sample(): SampleFolder {
  const countries = [
    ...Object.entries(holders).map(([name, days]) => ({
      name,
      row: rowOf(name, days * randomOf("oil", name).between(0.93, 1.07)),
    })),
    { name: odd, row: rowOf(odd, 742) },
    ...exporters.map((name) => ({ name, row: exporterRow(name) })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rows = [
    ...countries.map(({ row }) => row),
    ...Object.entries(averages).map(([name, days]) => rowOf(name, days)),
  ];
  return {
    index: {
      note: "Illustrative oil stocks with invented days in the form of the IEA's service. Net exporters have no days, one country has too many to be true, and averages are not countries.",
      // Every country has a row for crude oil and one for products.
      rows: 2 * Object.keys(holders).length,
      responses: [
        { url: "https://api.iea.org/netimports/latest", file: "latest.json" },
        { url: "https://api.iea.org/netimports/monthly/", file: "monthly.json" },
      ],
    },
    files: {
      "latest.json": '{"year":"{{month-3 YYYY}}","month":"{{month-3 MM}}"}\n',
      "monthly.json": linesOf("[", rows, "]"),
    },
  };
}

function rowOf(countryName: string, days: number) {
  const { between, unit } = randomOf("oil kinds", countryName);
  const total = Math.round(days);
  const abroad = unit() < 0.3 ? Math.round(total * between(0.03, 0.1)) : 0;
  const publicly = Math.round((total - abroad) * between(0.15, 0.7));
  return {
    ...{ countryName, yearMonth: month, total: String(total), industry: String(total - abroad - publicly) },
    ...{ publicData: String(publicly), abroadIndustry: String(abroad), abroadPublic: "0" },
  };
}

function exporterRow(countryName: string) {
  const none = { industry: "", publicData: "", abroadIndustry: "", abroadPublic: "" };
  return { countryName, yearMonth: month, total: "Net Exporter", ...none };
}

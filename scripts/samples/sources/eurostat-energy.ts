import { alpha2OfEurostat } from "../../../src/reference/countries/european-union.ts";
import type { SampleFolder } from "../folder.ts";
import { geoDimension, ofGeo, timeDimension } from "../format/eurostat-batches.ts";
import { jsonStat } from "../format/json-stat.ts";
import { societyOf } from "../world/society.ts";

const file = "nrg_ind_id.json";
const periods = [-6, -2] as const;
const geos =
  `EU27_2020 EA21 BE BG CZ DK DE EE IE EL ES FR HR IT CY LV LT LU HU MT NL AT PL PT RO SI SK FI SE NO IS UK BA
  ME MD MK GE AL RS TR UA XK`
    .trim()
    .split(/\s+/);

/** Returns the energy import dependence of European countries. It continues the World Bank's sample to newer years. */
export function sample(): SampleFolder {
  return {
    index: {
      note: "Illustrative dependency on energy imports with invented values in the form of Eurostat's JSON-stat, of forty countries and two groups; the United Kingdom ends with the first year.",
      rows: geos.length - 2,
      responses: [{ url: "https://ec.europa.eu/eurostat/api/dissemination/statistics/1.0/data/nrg_ind_id", file }],
    },
    files: {
      [file]: jsonStat({
        ...{ table: "nrg_ind_id", version: "24.0", label: "Energy imports dependency", digits: 3 },
        updated: "{{month YYYY-MM-01}}T11:00:00+0200",
        dimensions: [
          { id: "freq", label: "Time frequency", codes: [["A", "Annual"]] },
          {
            id: "siec",
            label: "Standard international energy product classification (SIEC)",
            codes: [["TOTAL", "Total"]],
          },
          { id: "unit", label: "Unit of measure", codes: [["PC", "Percentage"]] },
          geoDimension(geos),
          timeDimension("year", periods),
        ],
        value: (geo, place) =>
          geo === "UK" && place > 0 ? undefined : ofGeo(geo, (alpha2) => importsIn(alpha2, periods[0] + place)),
        provisional: ["AL"],
      }),
    },
  };
}

function importsIn(alpha2: string, year: number): number {
  return societyOf(alpha2OfEurostat(alpha2), year).energyImports;
}

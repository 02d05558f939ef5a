import type { SampleFolder } from "../folder.ts";
import { placeholder } from "../format/decimal.ts";
import { text } from "../format/json-lines.ts";
import { payrollsIn, workCostIn } from "../world/united-states.ts";

const file = "series.json";
const [months, quarters] = [118, 39];
/** Months ago of the month that was never counted. */
const missing = 102;
const preliminary = { code: "P", text: "preliminary" };

/** Returns jobs and labor cost, newest first, with the values of the sample fred-labor. */
export function sample(): SampleFolder {
  const privately = Array.from({ length: months }, (_, place) => place + 1).map((ago) => ({
    ...{ year: placeholder("month", -ago, "YYYY"), period: `M${placeholder("month", -ago, "MM")}` },
    periodName: placeholder("month", -ago, "Month"),
    ...(ago === 1 ? { latest: "true" } : {}),
    value: ago === missing ? "-" : String(payrollsIn(ago)),
    footnotes: [ago <= 2 ? preliminary : {}],
  }));
  const costs = Array.from({ length: quarters }, (_, place) => place + 1).map((ago) => ({
    ...{ year: placeholder("quarter", -ago, "YYYY"), period: `Q0${placeholder("quarter", -ago, "Q")}` },
    periodName: `${placeholder("quarter", -ago, "Qth")} Quarter`,
    ...(ago === 1 ? { latest: "true" } : {}),
    value: workCostIn(ago).toFixed(1),
    footnotes: [{}],
  }));
  const series = [
    ["CES0500000001", privately],
    ["CIS1010000000000I", costs],
  ] as const;
  const parts = series.map(
    ([seriesID, data]) => `{"seriesID":"${seriesID}","data":[\n${data.map(text).join(",\n")}\n]}`,
  );
  return {
    index: {
      note: "Illustrative series with invented values in the form of the BLS API, the same for whatever years are asked. One month has no value.",
      rows: months + quarters - 1,
      responses: [{ url: "https://api.bls.gov/publicAPI/v2/timeseries/data/", file }],
    },
    files: {
      [file]: `{"status":"REQUEST_SUCCEEDED","responseTime":231,"message":[],"Results":{"series":[\n${parts.join(",\n")}\n]}}\n`,
    },
  };
}

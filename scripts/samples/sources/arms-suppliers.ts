import type { SampleFolder } from "../folder.ts";
import { decimal, placeholder } from "../format/decimal.ts";
import { profileOf } from "../world/country-profiles.ts";
import { deliveries } from "../world/forces.ts";

const file = "deliveries.csv";

/**
 * Returns deliveries of arms in the format that an operator can import. They match the sample world-bank-indicators.
 */
export function sample(): SampleFolder {
  const lines = deliveries.map(({ importer, name, year, value }) =>
    [profileOf(importer).alpha3, name, placeholder("year", year), decimal(value, 1)].join(","),
  );
  return {
    index: {
      note: "Illustrative arms deliveries with invented values in the form of the file that an operator may import.",
      rows: lines.length,
      responses: [{ url: "https://arms-suppliers.example/deliveries.csv", file }],
    },
    files: { [file]: `${["importer,supplier,year,tiv", ...lines].join("\n")}\n` },
  };
}

import { hsHeadings } from "../../../src/reference/trade/hs-headings.ts";
import type { SampleFolder } from "../folder.ts";
import { comtradeNumber, comtradeResponse, rowsOf } from "../format/comtrade.ts";
import { importedOf } from "../world/imported-goods.ts";

/** One country of each ninth of the list, because the service requests a ninth per day. */
const countries = "BT CD GW HT SB SO SZ TD WS".split(" ");
const headingsAtOnce = 4;
const address = "^https://comtradeapi\\.un\\.org/public/v1/preview/C/A/HS\\?";
const none = "none.json";

/** Returns imports in the format of the preview without a key: four headings and one year per response. */
export function sample(): SampleFolder {
  const headings = [...hsHeadings.keys()];
  const groups = Array.from({ length: Math.ceil(headings.length / headingsAtOnce) }, (_, place) =>
    headings.slice(place * headingsAtOnce, (place + 1) * headingsAtOnce),
  );
  const parts = countries.flatMap((alpha2) =>
    groups.flatMap((group) => {
      const reporter = comtradeNumber(alpha2) ?? 0;
      const rows = group.flatMap((heading) => {
        const partners = importedOf(alpha2, heading, -2).map(({ exporter, value }) => ({ partner: exporter, value }));
        return partners.length < 2 ? [] : rowsOf({ reporter, year: -2, flow: "M", heading }, partners);
      });
      const file = `${alpha2.toLowerCase()}-${group[0]}.json`;
      const match = `${address}reporterCode=${reporter}&flowCode=M&cmdCode=${group[0]}%2C`;
      return rows.length === 0 ? [] : [{ answer: { match, file }, body: comtradeResponse(rows, file) }];
    }),
  );
  return {
    index: {
      note: "Illustrative: values are invented. A ninth of the countries is requested per day, and one of each ninth has rows here.",
      rows: 1,
      responses: [...parts.map(({ answer: response }) => response), { match: address, file: none }],
    },
    files: {
      ...Object.fromEntries(parts.map(({ answer: response, body }) => [response.file, body])),
      [none]: comtradeResponse([], none),
    },
  };
}

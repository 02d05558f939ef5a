import type { Source } from "../../../../ingest/source.ts";
import { funds, fundYear } from "../../countries.ts";
import { type InputRow, observedAt } from "../series.ts";

/** Our own table of funds. As a source that always answers, it lets each run tell how old the other inputs have become. */
export const sovereignFunds: Source<InputRow> = {
  name: "sovereign-funds",
  licence: { kind: "open", terms: "Part of this project" },
  own: true,
  variables: [],
  rows: { atLeast: funds.length, mayBeEmpty: false },
  fetch: async () => funds,
  parse: () => ({
    rows: funds.map(({ country, name, assets, access, liquidity, transparency }) => ({
      ...{ country, input: "usableFunds", period: String(fundYear), series: name },
      value: assets * 1e9 * access * liquidity * transparency,
    })),
    rejected: [],
  }),
  observedAt,
};

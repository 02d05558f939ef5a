import { parseValue } from "../../../config/reading.ts";
import { count } from "../../../config/text-types.ts";
import type { Source } from "../../../ingest/source.ts";
import {
  comtradeAddress,
  comtradeKey,
  comtradeMetadata,
  recordsOf,
  requestWithRetries,
} from "../../../providers/comtrade/comtrade.ts";
import { reporters } from "../../../providers/comtrade/comtrade-codes.ts";
import { hsHeadings } from "../../../reference/trade/hs-headings.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { countriesOf, fetchEach, type Reported, type Row, remember } from "./comtrade.ts";
import { readImports } from "./comtrade-response.ts";

/** Countries report with a delay, so the newest of these years is used. */
const yearsBack = [2, 3, 4, 5];
const budget = { name: "COMTRADE_CALLS", type: count };
const defaultBudget = "480";

/** Annual imports by partner, with a key. Each country takes one call. */
export const unComtrade: Source<Row> = {
  name: "un-comtrade",
  ...comtradeMetadata,
  optionalVariables: [budget.name],
  rows: { atLeast: 110, mayBeEmpty: false },
  // A country that fails once is read again before its imports are 45 days old.
  minutesApart: 22 * 24 * 60,
  minutesAfterFailure: 23 * 60,
  remember,
  fetch: fetchAll,
  parse: countriesOf,
};

function fetchAll(upstream: Upstream): Promise<Reported[]> {
  const year = upstream.now.getUTCFullYear();
  const headers = { "Ocp-Apim-Subscription-Key": upstream.variable(comtradeKey) };
  const query = new URLSearchParams({
    flowCode: "M",
    cmdCode: [...hsHeadings.keys()].join(),
    period: yearsBack.map((back) => year - back).join(),
    partner2Code: "0",
    customsCode: "C00",
    motCode: "0",
    includeDesc: "false",
  });
  const requested = [...reporters.keys()].slice(0, parseValue(budget, upstream.variable(budget.name, defaultBudget)));
  return fetchEach(requested, async (reporter) => {
    const response = await requestWithRetries(upstream, {
      url: `${comtradeAddress}?reporterCode=${reporter}&${query}`,
      headers,
    });
    return readImports(reporter, recordsOf(response));
  });
}

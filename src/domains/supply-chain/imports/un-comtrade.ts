import { parseValue } from "../../../config/reading.ts";
import { count } from "../../../config/text-types.ts";
import type { Source } from "../../../ingest/source.ts";
import {
  comtradeAddress,
  comtradeKey,
  comtradeLicense,
  comtradeMetadata,
  recordsOf,
  requestWithRetries,
  totalsOnly,
} from "../../../providers/comtrade/comtrade.ts";
import { reporters } from "../../../providers/comtrade/comtrade-codes.ts";
import { dayMs } from "../../../reference/duration.ts";
import { hsHeadings } from "../../../reference/trade/hs-headings.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { countriesOf, fetchEach, type Reported, type Row, readImports, remember } from "./comtrade.ts";

/** How many years ago the requested years are. Countries report late, so each one's newest year with data is used. */
const yearsBack = [2, 3, 4, 5];
const budget = { name: "COMTRADE_CALLS", type: count };
const defaultBudget = "480";

/** Annual imports by partner, for a service with a key. Each country takes one request. */
export const unComtrade: Source<Row> = {
  name: "un-comtrade",
  ...comtradeMetadata,
  optionalVariables: [budget.name],
  rows: { atLeast: 110, mayBeEmpty: false },
  // If a country fails in one run, the next run still reads it before its imports are 45 days old.
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
    ...totalsOnly,
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

const previewAddress = "https://comtradeapi.un.org/public/v1/preview/C/A/HS";
/** How many years ago the requested year is. Without a key, only one year per request is accepted. */
const previewYearsBack = 2;
/** The maximum number of rows in a response. A response with this number of rows may be truncated. */
const maxRows = 500;
const headingsAtOnce = 4;
/** Each run reads one of this number of parts of the countries, so that it ends within half an hour. */
const rounds = 9;

/** Imports for a service without a key. It reads only the newest year, and takes nine daily runs for all countries. */
export const unComtradePreview: Source<Row> = {
  name: "un-comtrade-preview",
  license: comtradeLicense,
  pace: { spacingMs: 3_500 },
  access: {
    rejection: "Its request limit without a key is exceeded: it continues later, or with COMTRADE_API_KEY.",
  },
  optionalVariables: [comtradeKey],
  rows: { atLeast: 1, mayBeEmpty: true },
  minutesApart: 23 * 60,
  remember,
  fetch: fetchRound,
  parse: countriesOf,
};

async function fetchRound(upstream: Upstream): Promise<Reported[]> {
  if (upstream.variable(comtradeKey, "") !== "") return [];
  const round = Math.floor(upstream.now.getTime() / dayMs) % rounds;
  const requested = [...reporters.keys()].filter((_, place) => place % rounds === round);
  return fetchEach(requested, async (reporter) => {
    const records: unknown[] = [];
    const headings = [...hsHeadings.keys()];
    for (let start = 0; start < headings.length; start += headingsAtOnce)
      records.push(...(await requestFor(upstream, reporter, headings.slice(start, start + headingsAtOnce))));
    return readImports(reporter, records);
  });
}

/** Requests headings of a country. A full response may be truncated, so each half of them is requested again. */
async function requestFor(
  upstream: Upstream,
  reporter: number,
  headings: readonly string[],
): Promise<readonly unknown[]> {
  const query = new URLSearchParams({
    reporterCode: String(reporter),
    flowCode: "M",
    cmdCode: headings.join(),
    period: String(upstream.now.getUTCFullYear() - previewYearsBack),
    ...totalsOnly,
  });
  const records = recordsOf(await requestWithRetries(upstream, { url: `${previewAddress}?${query}` }));
  if (records.length < maxRows || headings.length === 1) return records;
  const half = Math.ceil(headings.length / 2);
  return [
    ...(await requestFor(upstream, reporter, headings.slice(0, half))),
    ...(await requestFor(upstream, reporter, headings.slice(half))),
  ];
}

import type { SampleFolder } from "../folder.ts";
import { jsonText, numeric } from "../format/json.ts";
import { randomOf } from "../random.ts";
import { table } from "../world/table.ts";

const address = "https://finnhub.io/api/v1/stock";
const shares = table<
  | "ticker"
  | "name"
  | "exchange"
  | "currency"
  | "country"
  | "industry"
  | "ipo"
  | "millions"
  | "earnings"
  | "quarters"
  | "home"
>("shares");
type Share = (typeof shares)[number];

/** The newest quarter of this company has an estimate and no result. */
const waiting = "VLTR";
/** Rough price of a large company's share, in its currency. */
const price = 240;

/** Returns profiles and earnings of invented companies, with plausible values. */
export function sample(): SampleFolder {
  const responses = shares.flatMap((share) =>
    (["profile", "earnings"] as const).map((what) => ({ share, what, file: fileOf(what, share) })),
  );
  return {
    index: {
      note: "Illustrative: invented companies with market values, earnings and estimates, in the form of the Finnhub API. Tickers that are not among them are answered as unknown ones are.",
      rows: shares.length,
      responses: [
        ...responses.map(({ share, what, file }) => ({
          url: `${address}/${what === "profile" ? "profile2" : what}`,
          query: { symbol: share.ticker },
          file,
        })),
        { url: `${address}/profile2`, file: "profile-unknown.json" },
        { url: `${address}/earnings`, file: "earnings-unknown.json" },
      ],
    },
    files: {
      ...Object.fromEntries(
        responses.map(({ share, what, file }) => [
          file,
          jsonText(what === "profile" ? profile(share) : earnings(share)),
        ]),
      ),
      "profile-unknown.json": jsonText({}),
      "earnings-unknown.json": jsonText([]),
    },
  };
}

function fileOf(what: string, { ticker }: Share): string {
  return `${what}-${ticker.toLowerCase().replace(".", "-")}.json`;
}

function profile({ ticker, name, exchange, currency, country, industry, ipo, millions, home }: Share) {
  const { normal } = randomOf("profile", ticker);
  const marketCapitalization = Number((Number(millions) * (1 + 0.03 * normal())).toFixed(1));
  return {
    country,
    currency,
    estimateCurrency: currency,
    exchange,
    finnhubIndustry: industry,
    ipo,
    logo: `https://static.example/logo/${ticker.toLowerCase()}.png`,
    marketCapitalization,
    name,
    phone: "15555550100",
    shareOutstanding: Number((marketCapitalization / price).toFixed(4)),
    ticker,
    weburl: home,
  };
}

/** Returns slowly growing quarters, newest first. Results differ from the estimates by some percent. */
function earnings({ ticker, earnings: typical, quarters }: Share) {
  const { normal } = randomOf("earnings", ticker);
  return Array.from({ length: Number(quarters) }, (_, place) => {
    const before = place + 1;
    const estimate = Number((Number(typical) * (1 - 0.02 * place) * (1 + 0.02 * normal())).toFixed(4));
    const actual = Number((estimate + Math.abs(estimate) * (0.02 + 0.05 * normal())).toFixed(2));
    const surprise = actual - estimate;
    const isOpen = ticker === waiting && place === 0;
    return {
      actual: isOpen ? null : actual,
      estimate,
      period: `{{quarter-${before}.3 YYYY-MM-last}}`,
      quarter: numeric(`{{quarter-${before} Q}}`),
      surprise: isOpen ? null : Number(surprise.toFixed(4)),
      surprisePercent: isOpen ? null : Number(((100 * surprise) / Math.abs(estimate)).toFixed(4)),
      symbol: ticker,
      year: numeric(`{{quarter-${before} YYYY}}`),
    };
  });
}

import type { TestApp } from "../support/app.ts";
import { csvRows, latestOfEurostat, latestOfWto, priceOf, sampleJson } from "./sample-values.ts";

/** Something to find out from the samples. */
export interface Question {
  readonly question: string;
  /** A tool of the default list. */
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>> & { readonly jmespath: string };
  /** From the samples' own files, or by another way through the service. */
  readonly expected: (app: TestApp) => unknown;
}

const catalog = "ids_catalog_read";
const history = "ids_history_read";
const economic = "ids_economic_read";
const trade = "ids_trade_read";
const supplyChain = "ids_supply_chain_read";
const intelligence = "ids_intelligence_read";

interface GasDay {
  readonly full: string;
}

/** The gas days that have a level, latest first. */
const gasDays = () => sampleJson<{ data: GasDay[] }>("agsi/eu.json").data.filter(({ full }) => Number(full) > 0);

interface Outage {
  readonly locations: readonly string[];
  readonly outage: { readonly outageCause: string };
}

const outages = () =>
  sampleJson<{ result: { annotations: Outage[] } }>("cloudflare-radar/outages.json").result.annotations;

interface Import {
  readonly cmdCode: string;
  readonly partnerCode: number;
  readonly primaryValue: number;
}

const importsOfGermany = () => sampleJson<{ data: Import[] }>("un-comtrade/de.json").data;

export const questions: readonly Question[] = [
  {
    question: "How did the fill level of the EU's gas stores move over the last weeks?",
    tool: history,
    arguments: {
      operation: "get_series",
      parameters: { series: "gas.fill", keys: ["EU"] },
      jmespath: "points[-1].value",
    },
    expected: () => Number(gasDays()[0]?.full),
  },
  {
    question: "What changed in the data on internet outages?",
    tool: history,
    arguments: {
      operation: "list_changes",
      parameters: { datasets: ["internet-outages"], limit: 1 },
      jmespath: "type(changes)",
    },
    expected: () => "array",
  },
  {
    question: "How full are the EU's gas stores?",
    tool: economic,
    arguments: { operation: "get_eu_gas_storage", jmespath: "fillPct" },
    expected: () => Number(gasDays()[0]?.full),
  },
  {
    question: "Are they being filled or emptied?",
    tool: economic,
    arguments: { operation: "get_eu_gas_storage", jmespath: "trend" },
    expected: () => (Number(gasDays()[0]?.full) < Number(gasDays()[1]?.full) ? "withdrawing" : "injecting"),
  },
  {
    question: "How many people work in private firms in the United States, in thousands?",
    tool: economic,
    arguments: {
      operation: "get_labor_stats_series",
      parameters: { series_id: "USPRIV", limit: 1 },
      jmespath: "series.observations[0].value",
    },
    expected: () => {
      const { series } = sampleJson<{ Results: { series: { seriesID: string; data: { value: string }[] }[] } }>(
        "bls/series.json",
      ).Results;
      return series.find(({ seriesID }) => seriesID === "CES0500000001")?.data[0]?.value;
    },
  },
  {
    question: "How many measures against the energy crisis did Germany take?",
    tool: economic,
    arguments: {
      operation: "get_energy_crisis_policies",
      parameters: { country_code: "DE" },
      jmespath: "length(policies)",
    },
    expected: () =>
      csvRows("src/domains/economic/energy-policies/energy-crisis-policies.csv").filter(
        (row) => row.country_code === "DE",
      ).length,
  },
  {
    question: "Where does the volatility index stand?",
    tool: economic,
    arguments: { operation: "get_economic_stress", jmespath: "components[?id=='VIXCLS'].rawValue | [0]" },
    expected: () =>
      Number(sampleJson<{ observations: { value: string }[] }>("fred-stress/VIXCLS.json").observations[0]?.value),
  },
  {
    question: "How many open tenders are there in the United Kingdom?",
    tool: economic,
    arguments: { operation: "list_global_tenders", parameters: { country: "GB" }, jmespath: "total" },
    expected: async (app) => {
      let count = 0;
      let cursor = "";
      do {
        const { tenders, nextCursor } = await app.json<{ tenders: { countryCode: string }[]; nextCursor: string }>(
          `/api/economic/v1/list-global-tenders?page_size=100&cursor=${encodeURIComponent(cursor)}`,
        );
        count += tenders.filter(({ countryCode }) => countryCode === "GB").length;
        cursor = nextCursor;
      } while (cursor !== "");
      return count;
    },
  },
  {
    question: "Give me an overview of Türkiye: how unstable is it?",
    tool: "get_country_brief",
    arguments: { country_code: "TR", jmespath: "risk.score.combinedScore" },
    expected: async (app) => {
      const path = "/api/intelligence/v1/get-risk-scores?region=TR";
      return (await app.json<{ ciiScores: { combinedScore: number }[] }>(path)).ciiScores[0]?.combinedScore;
    },
  },
  {
    question: "How high is Germany's inflation this year?",
    tool: "get_country_macro",
    arguments: { countries: ["DE"], jmespath: "data.macro.countries.DE.inflationPct" },
    expected: () => {
      interface Inflation {
        readonly values: { readonly PCPIPCH: { readonly DEU: Readonly<Record<string, number>> } };
      }
      return sampleJson<Inflation>("imf-datamapper/PCPIPCH.json").values.PCPIPCH.DEU["2026"];
    },
  },
  {
    question: "Where does the German house price index stand?",
    tool: "get_eu_housing_cycle",
    arguments: { countries: ["DE"], jmespath: 'data."house-prices".countries.DE.value' },
    expected: () => latestOfEurostat("eurostat-house-prices", "DE"),
  },
  {
    question: "How high is Greece's government debt in percent of GDP?",
    tool: "get_eu_quarterly_gov_debt",
    arguments: { countries: ["EL"], jmespath: 'data."gov-debt-q".countries.EL.value' },
    expected: () => latestOfEurostat("eurostat-gov-debt", "EL"),
  },
  {
    question: "How high is industrial production in Denmark?",
    tool: "get_eu_industrial_production",
    arguments: { countries: ["DK"], jmespath: 'data."industrial-production".countries.DK.value' },
    expected: () => latestOfEurostat("eurostat-industrial-production", "DK"),
  },
  {
    question: "At what price is gold traded in New York?",
    tool: "get_market_data",
    arguments: { symbols: ["GC=F"], jmespath: "data.quotes[0].price" },
    expected: () => priceOf("yahoo-metals/gold.json"),
  },
  {
    question: "What does a share of ZIM cost?",
    tool: supplyChain,
    arguments: { operation: "get_shipping_stress", jmespath: "carriers[?symbol=='ZIM'].price | [0]" },
    expected: () => priceOf("yahoo-carriers/zim.json"),
  },
  {
    question: "By how much does silver in Shanghai cost more than in New York, in percent?",
    tool: trade,
    arguments: {
      operation: "get_physical_premiums",
      jmespath: "premiums[?metal=='silver'].premiumPct | [0]",
    },
    expected: async (app) => {
      interface Leg {
        readonly price: number;
      }
      const { premiums, fx } = await app.json<{
        premiums: { metal: string; physical: Leg; paper: Leg }[];
        fx: { rate: number };
      }>("/api/market/v1/get-physical-premiums");
      const silver = premiums.find(({ metal }) => metal === "silver");
      // A kilogram is 32.1507466 troy ounces.
      const ounce = ((silver?.physical.price ?? 0) * fx.rate) / 32.1507466;
      return Number(((ounce / (priceOf("yahoo-metals/silver.json") ?? 0) - 1) * 100).toFixed(4));
    },
  },
  {
    question: "How high is the average tariff of the United States?",
    tool: trade,
    arguments: {
      operation: "get_tariff_trends",
      parameters: { reporting_country: "840" },
      jmespath: "datapoints[-1].tariffRate",
    },
    expected: () => latestOfWto("wto-tariffs", "tariffs-", "840"),
  },
  {
    question: "For how many million dollars does Germany export?",
    tool: trade,
    arguments: {
      operation: "get_trade_flows",
      parameters: { reporting_country: "276" },
      jmespath: "flows[-1].exportValueUsd",
    },
    expected: () => latestOfWto("wto-flows", "exports-", "276"),
  },
  {
    question: "How many armed-conflict events were there in Sudan within the last 30 days?",
    tool: "ids_conflict_read",
    arguments: { operation: "list_conflict_events", parameters: { country: "SD" }, jmespath: "length(events)" },
    expected: async (app) => {
      const { events } = await app.json<{ events: { country: string }[] }>("/api/conflict/v1/list-conflict-events");
      return events.filter(({ country }) => country === "SD").length;
    },
  },
  {
    question: "How many outages of the internet came from power cuts?",
    tool: "ids_infrastructure_read",
    arguments: { operation: "list_internet_outages", jmespath: "length(outages[?cause=='POWER_OUTAGE'])" },
    expected: () =>
      outages()
        .filter(({ outage }) => outage.outageCause === "POWER_OUTAGE")
        .flatMap(({ locations }) => locations).length,
  },
  {
    question: "In which country is 33.89 north, 35.5 east?",
    tool: "ids_infrastructure_read",
    arguments: { operation: "reverse_geocode", parameters: { lat: 33.89, lon: 35.5 }, jmespath: "code" },
    expected: () => "LB",
  },
  {
    question: "What share of its GDP does Poland spend on its forces?",
    tool: "ids_military_read",
    arguments: {
      operation: "get_defense_industrial_base",
      parameters: { country_code: "PL" },
      jmespath: "expenditurePctGdp.value",
    },
    expected: () => {
      type Row = { readonly countryiso3code: string; readonly date: string; readonly value: number | null };
      const [, rows] = sampleJson<[unknown, Row[]]>("world-bank-indicators/MS.MIL.XPND.GD.ZS.json");
      const own = rows.filter(({ countryiso3code: code, value }) => code === "POL" && value !== null);
      return own.sort((a, b) => b.date.localeCompare(a.date))[0]?.value;
    },
  },
  {
    question: "Under which call sign flies the aircraft 4ca9e1?",
    tool: "ids_military_read",
    arguments: {
      operation: "get_provider_live_flight",
      parameters: { icao24: "4ca9e1" },
      jmespath: "flight.callsign",
    },
    expected: () => sampleJson<{ ac: { flight: string }[] }>("adsb/4ca9e1.json").ac[0]?.flight.trim(),
  },
  {
    question: "What is Fjellvik's number in the SEC's register?",
    tool: intelligence,
    arguments: { operation: "get_company_enrichment", parameters: { ticker: "FJLV" }, jmespath: "company.cik" },
    expected: () => {
      const companies = sampleJson<Record<string, { ticker: string; cik_str: number }>>("sec/company_tickers.json");
      const fjellvik = Object.values(companies).find(({ ticker }) => ticker === "FJLV");
      return String(fjellvik?.cik_str).padStart(10, "0");
    },
  },
  {
    question: "How high is Ukraine's risk score?",
    tool: intelligence,
    arguments: {
      operation: "get_risk_scores",
      parameters: { region: "UA" },
      jmespath: "ciiScores[0].combinedScore",
    },
    expected: async (app) =>
      (await app.json<{ combinedScore: number }>("/api/intelligence/v1/get-risk-score-explanation?region=UA"))
        .combinedScore,
  },
  {
    question: "How many reports on shipping were there on the last day?",
    tool: intelligence,
    arguments: {
      operation: "get_news_topic_timeline",
      parameters: { topic: "maritime" },
      jmespath: "vol[-1].value",
    },
    expected: () =>
      sampleJson<{ timeline: { data: { value: number }[] }[] }>("gdelt-maritime/volume.json").timeline[0]?.data.at(-1)
        ?.value,
  },
  {
    question: "Which resilience score has Norway?",
    tool: "ids_resilience_read",
    arguments: {
      operation: "get_resilience_ranking",
      jmespath: "items[?countryCode=='NO'].overallScore | [0]",
    },
    expected: async (app) =>
      (await app.json<{ overallScore: number }>("/api/resilience/v1/get-resilience-score?country_code=NO"))
        .overallScore,
  },
  {
    question: "Which country mines the most lithium?",
    tool: supplyChain,
    arguments: {
      operation: "get_mineral_production",
      jmespath: "commodities[?commodityId=='lithium'].mine.countries[0].country | [0]",
    },
    expected: () => {
      const rows = csvRows("sample/usgs-mcs/MCS2026_Commodities_Data.csv").filter(
        (row) => row.Commodity === "Lithium" && row.Statistics_detail === "Mine production",
      );
      const latest = Math.max(...rows.map((row) => Number(row.Year)));
      const amount = ({ Value = "" }) => Number(Value.replaceAll(",", "")) || 0;
      return rows.filter((row) => Number(row.Year) === latest).sort((a, b) => amount(b) - amount(a))[0]?.Country;
    },
  },
  {
    question: "Which goods does Germany import for the most money?",
    tool: supplyChain,
    arguments: { operation: "get_country_products", parameters: { iso2: "DE" }, jmespath: "products[0].hs4" },
    expected: () => {
      const fromWorld = importsOfGermany().filter(({ partnerCode }) => partnerCode === 0);
      return fromWorld.sort((a, b) => b.primaryValue - a.primaryValue)[0]?.cmdCode;
    },
  },
  {
    question: "How vulnerable is South Korea's supply of gallium through Suez?",
    tool: supplyChain,
    arguments: {
      operation: "get_chokepoint_dependencies",
      parameters: { chokepoint_id: "suez" },
      jmespath: "dependencies[?countryIso2=='KR' && commodityId=='gallium'].score | [0]",
    },
    expected: async (app) => {
      const { vulnerabilities } = await app.json<{ vulnerabilities: { commodityId: string; score: number }[] }>(
        "/api/supply-chain/v1/get-country-vulnerabilities?iso2=KR",
      );
      return vulnerabilities.find(({ commodityId }) => commodityId === "gallium")?.score;
    },
  },
  {
    question: "On which plan is this key?",
    tool: "ids_account_read",
    arguments: { operation: "get_caller", jmespath: "account.plan" },
    expected: () => "operator",
  },
  {
    question: "How many companies does this account watch?",
    tool: "ids_company_monitoring_read",
    arguments: { operation: "list_monitored_companies", jmespath: "length(companies)" },
    expected: () => 0,
  },
  {
    question: "On what terms may the events of UCDP be used?",
    tool: catalog,
    arguments: { operation: "list_sources", jmespath: "sources[?name=='ucdp'].license.terms | [0]" },
    expected: () => "CC BY 4.0, Uppsala Conflict Data Program",
  },
  {
    question: "How many conflict events of Sudan does the service hold?",
    tool: catalog,
    arguments: {
      operation: "get_dataset",
      parameters: { name: "conflict-events" },
      jmespath: "coverage.countries[?country=='SD'].rows | [0]",
    },
    expected: async (app) => {
      const { pagination } = await app.json<{ pagination: { totalCount: number } }>(
        "/api/conflict/v1/list-conflict-events?start=1&country=SD",
      );
      return pagination.totalCount;
    },
  },
];

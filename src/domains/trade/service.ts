import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { FlowRowSchema } from "../../../gen/es/ids/stored/v1/trade_pb.ts";
import {
  GetTariffTrendsResponse_UnavailableReason,
  GetTradeFlowsResponse_UnavailableReason,
  TradeService,
} from "../../../gen/es/ids/trade/v1/trade_pb.ts";
import { markSample } from "../../contract/request-context.ts";
import { dataset } from "../../ingest/dataset.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { world } from "../../providers/wto/wto.ts";
import type { Served } from "../../store/served/served.ts";
import type { Store } from "../../store/tables.ts";
import { type Listing, readListing, storeOutcomes } from "./coverage-table.ts";
import { readFlows, storeFlows } from "./flows/flow-table.ts";
import { wtoFlows } from "./flows/wto-flows.ts";
import { collectedTariffOrigin } from "./tariffs/fred-tariff.ts";
import { readCollected, readTariffs, tradeTariffs } from "./tariffs/tariff-table.ts";
import { appliedTariff } from "./tariffs/wto-tariffs.ts";
import { countReporterRows, countYears, type Freshness, flowSeries, retainOneOrigin } from "./trade-series.ts";

type Reason = keyof typeof GetTariffTrendsResponse_UnavailableReason;

/** The response's reason for each finding of a search. Findings are checked in this order; the first one applies. */
const verdicts = {
  sectorNotCovered: { reason: "NOT_COVERED", upstreamUnavailable: false },
  rowsUnreadable: { reason: "CACHE_UNAVAILABLE", upstreamUnavailable: true },
  rows: { reason: "UNSPECIFIED", upstreamUnavailable: false },
  coverageUnreadable: { reason: "CACHE_UNAVAILABLE", upstreamUnavailable: true },
  unknown: { reason: "COVERAGE_UNKNOWN", upstreamUnavailable: true },
  listed: { reason: "SEED_MISSING", upstreamUnavailable: true },
  "not listed": { reason: "NOT_COVERED", upstreamUnavailable: false },
} as const satisfies Readonly<Record<string, { reason: Reason; upstreamUnavailable: boolean }>>;

type Finding<Rows> =
  | { readonly found: "rows"; readonly rows: Rows }
  | { readonly found: Exclude<keyof typeof verdicts, "rows">; readonly rows?: undefined };

interface Search<Rows> {
  readonly readRows: () => Promise<Rows | undefined>;
  /** Returns whether the source has the series. It is called only if the store has no rows of it. */
  readonly readListing: () => Promise<Listing>;
  readonly warn: (message: string) => void;
}

/** Reads the rows of a series, or finds out why there are none. A failure of the store is such a reason too. */
async function find<Rows>({ readRows, readListing, warn }: Search<Rows>): Promise<Finding<Rows>> {
  const unreadable = (found: "rowsUnreadable" | "coverageUnreadable") => (error: unknown) => {
    warn(`trade: ${error instanceof Error ? error.message : String(error)}`);
    return { found } as const;
  };
  const finding = await readRows().then(
    (rows) => rows && { found: "rows" as const, rows },
    unreadable("rowsUnreadable"),
  );
  return finding ?? readListing().then((found) => ({ found }), unreadable("coverageUnreadable"));
}

const name = "trade-flows";
/** After this number of empty responses, the source lacks a series. It may omit a series for a day by mistake. */
const emptyRuns = 3;

const tradeFlows = dataset({
  name,
  subject: "Annual merchandise exports and imports of economies.",
  notIncluded: [
    "trade in tons: US dollars",
    "trade by partner, bilateral trade: the dataset country-imports has imports of 36 headings by supplier",
    "trade by product: the dataset country-imports has imports of 36 headings",
    "trade in services: goods; country-macro has exports and imports of goods and services together",
  ],
  row: FlowRowSchema,
  schedule: "10 5 * * *",
  freshForMinutes: 49 * 60,
  // Trade flows are annual, so stored ones stay valid for long.
  servableForMinutes: 90 * 24 * 60,
  serves: [TradeService.method.getTradeFlows],
  sources: [wtoFlows],
  storedTables: ["trade_flow", "trade_coverage"],
  counters: ["empty_streak"],
  series: flowSeries,
  rowsInTable: true,
  countRows: countReporterRows("trade_flow"),
  async write(transaction, { bySource, origin, now }) {
    await retainOneOrigin(transaction, { dataset: name, origin }, ["trade_flow"]);
    const reported = [...bySource.values()].flat().map((row) => row.reported);
    const series = reported.flatMap((one) => (one.case === "series" ? one.value : []));
    const empty = reported.flatMap((one) => (one.case === "empty" ? one.value.reporters : []));
    await storeFlows(transaction, series, now);
    await storeOutcomes(transaction, { dataset: name, partner: world, emptyRuns, now }, { series, empty });
    return countYears(transaction, "trade_flow");
  },
});

const unitedStates = "840";
const defaultYears = 10;

export const trade = {
  datasets: [scheduled(tradeTariffs), scheduled(tradeFlows)],
  implement,
};

function implement(parts: {
  readonly database: Store;
  readonly served: Served;
  readonly warn: (message: string) => void;
}): ServiceImpl<typeof TradeService> {
  const { database, served, warn } = parts;

  async function findIn<Rows extends Freshness>(
    dataset: { readonly name: string },
    context: HandlerContext,
    search: Pick<Search<Rows>, "readRows" | "readListing">,
  ): Promise<Finding<Rows>> {
    if (!served.datasetIfAny(dataset, context)) return { found: "unknown" };
    const finding = await find({ ...search, warn });
    // Each series has its own read time. Rows that were read too long ago are not served.
    const isOld = finding.rows && !served.mayServe(dataset, finding.rows.fetchedAt, context);
    return isOld ? { found: "listed" } : finding;
  }

  return {
    async getTariffTrends({ reportingCountry, productSector, years }, context) {
      const reporter = reportingCountry || unitedStates;
      if (served.visible(tradeTariffs)?.provenance.origin === "sample") markSample(context);
      const finding = isCovered(productSector)
        ? await findIn(tradeTariffs, context, {
            readRows: async () => {
              const tariffs = await readTariffs(database, reporter, years || defaultYears);
              const collected = tariffs && (await readCollected(database, reporter));
              const isServed = collected && served.mayServe(tradeTariffs, collected.fetchedAt, context);
              return tariffs && { ...tariffs, collected: isServed ? collected : undefined };
            },
            readListing: () => readListing(database, tradeTariffs.name, { reporter, partner: world }),
          })
        : ({ found: "sectorNotCovered" } as const);
      const { reason, ...availability } = verdicts[finding.found];
      const { rows } = finding;
      return {
        datapoints: (rows?.years ?? []).map(({ year, rate }) => ({
          reportingCountry: rows?.name ?? "",
          partnerCountry: "World",
          productSector: "All products",
          year,
          tariffRate: rate,
          indicatorCode: appliedTariff.code,
        })),
        ...availability,
        unavailableReason: GetTariffTrendsResponse_UnavailableReason[reason],
        ...(rows ? spanOf(rows) : {}),
        ...(rows?.collected
          ? {
              effectiveTariffRate: {
                ...collectedTariffOrigin,
                observationPeriod: rows.collected.quarter,
                updatedAt: rows.collected.fetchedAt.toISOString(),
                tariffRate: rows.collected.rate,
              },
            }
          : {}),
      };
    },

    async getTradeFlows({ reportingCountry, partnerCountry, years }, context) {
      const pair = { reporter: reportingCountry || unitedStates, partner: partnerCountry || world };
      const finding = await findIn(tradeFlows, context, {
        readRows: () => readFlows(database, pair, years || defaultYears),
        readListing: () => readListing(database, tradeFlows.name, pair),
      });
      const { reason, ...availability } = verdicts[finding.found];
      const { rows } = finding;
      return {
        flows: (rows?.years ?? []).map(({ year, exports, imports, exportChange, importChange }) => ({
          reportingCountry: rows?.name ?? "",
          partnerCountry: "World",
          productSector: "Total merchandise",
          year,
          exportValueUsd: exports,
          importValueUsd: imports,
          ...(exportChange === null ? {} : { yoyExportChange: exportChange }),
          ...(importChange === null ? {} : { yoyImportChange: importChange }),
        })),
        ...availability,
        unavailableReason: GetTradeFlowsResponse_UnavailableReason[reason],
        ...(rows ? spanOf(rows) : {}),
      };
    },
  };
}

/** Returns whether tariffs cover a sector. They cover only all products together. */
function isCovered(sector: string): boolean {
  return sector === "" || sector.toLowerCase() === "all";
}

function spanOf({ years, fetchedAt }: Freshness & { readonly years: readonly { readonly year: number }[] }) {
  return {
    fetchedAt: fetchedAt.toISOString(),
    coverageStartYear: years[0]?.year ?? 0,
    coverageEndYear: years.at(-1)?.year ?? 0,
  };
}

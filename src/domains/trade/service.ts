import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import {
  GetTariffTrendsResponse_UnavailableReason,
  GetTradeFlowsResponse_UnavailableReason,
  type TradeService,
} from "../../../gen/es/ids/trade/v1/trade_pb.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { world } from "../../providers/wto/wto.ts";
import type { Served } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { readListing } from "./coverage-table.ts";
import { type Finding, find, type Search, verdicts } from "./flows/finding.ts";
import { readFlows } from "./flows/flow-table.ts";
import { tradeFlows } from "./flows/trade-flows.ts";
import type { Freshness } from "./freshness.ts";
import { collectedTariffOrigin } from "./tariffs/fred-tariff.ts";
import { readCollected, readTariffs } from "./tariffs/tariff-table.ts";
import { tradeTariffs } from "./tariffs/trade-tariffs.ts";
import { appliedTariff } from "./tariffs/wto-tariffs.ts";

/** The datasets behind these operations. */
export const tradeDatasets = [scheduled(tradeTariffs), scheduled(tradeFlows)];

const unitedStates = "840";
const defaultYears = 10;

/** Trade operations, answered from the store. */
export function trade(parts: {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly warn: (message: string) => void;
}): ServiceImpl<typeof TradeService> {
  const { database, served, warn } = parts;

  /** Looks among what may be served. */
  async function findIn<Rows extends Freshness>(
    dataset: { readonly name: string },
    context: HandlerContext,
    search: Pick<Search<Rows>, "readRows" | "readListing">,
  ): Promise<Finding<Rows>> {
    if (!served.datasetIfAny(dataset, context)) return { found: "unknown" };
    const finding = await find({ ...search, warn });
    // Each series is read by itself: another that was read lately makes it no younger.
    const isOld = finding.rows && !served.mayServe(dataset, finding.rows.fetchedAt, context);
    return isOld ? { found: "listed" } : finding;
  }

  return {
    async getTariffTrends({ reportingCountry, productSector, years }, context) {
      const reporter = reportingCountry || unitedStates;
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

/** The tariffs are of all products together. */
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

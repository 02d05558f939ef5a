import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { sql } from "kysely";
import { z } from "zod";
import type { EconomicService } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  type ListGlobalTendersRequest,
  type ListGlobalTendersResponseSchema,
  TenderSourceStatusSchema,
} from "../../../gen/es/ids/economic/v1/tenders_pb.ts";
import type { Cursors } from "../../access/cursor.ts";
import { pageCursors } from "../../access/page-cursor.ts";
import { noteMissing, pageWalkKey, setNoStore } from "../../contract/request-context.ts";
import { type InvalidRequest, invalidField, Unavailable } from "../../errors.ts";
import type { DatasetStatus } from "../../ingest/dataset-status.ts";
import { type ScheduledDataset, scheduled } from "../../ingest/schedule/scheduled.ts";
import type { ReadAge } from "../../ingest/stored-metadata.ts";
import { countryOf } from "../../reference/countries/countries.ts";
import type { ServedParts } from "../../store/served/served.ts";
import type { Store } from "../../store/tables.ts";
import { countryMacro, macroResponse } from "./country-figures/country-macro.ts";
import { indicatorResponse } from "./country-figures/eu-indicator.ts";
import {
  euHousingCycle,
  euIndustrialProduction,
  euQuarterlyGovDebt,
  govDebt,
  housePrices,
  industrialProduction,
} from "./country-figures/eu-indicators.ts";
import { energyCrisisPolicies, policiesOf } from "./energy-policies/energy-crisis-policies.ts";
import { euGasStorage, gasStorageAt } from "./gas-storage/eu-gas-storage.ts";
import { globalTenders } from "./tenders/global-tenders.ts";
import { lexeme } from "./tenders/sql-condition.ts";
import {
  availability,
  type CountryCoverage,
  type FeedSourceStatus,
  sourceStatus,
} from "./tenders/tender-availability.ts";
import { appliedFilters, type TenderFilter, tenderFilter } from "./tenders/tender-filter.ts";
import { tenderMessage } from "./tenders/tender-message.ts";
import { type OpenRows, openRowsReader, tenderRetention } from "./tenders/tender-open-rows.ts";
import { readTenders } from "./tenders/tender-page.ts";
import { otherNotices } from "./tenders/tender-procurement.ts";
import { economicStress, economicStressAt } from "./us-series/economic-stress.ts";
import { laborStats } from "./us-series/labor-stats.ts";

const positionSchema = z.object({ keys: z.array(z.string()).readonly(), id: z.string() });

/** Returns a text that stands for a search. A cursor is valid only for searches with the same text. */
function walkOf(filter: TenderFilter, sort: string): string {
  return JSON.stringify([sort, Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

interface TenderFeedParts extends ServedParts {
  readonly cursors: (purpose: string) => Cursors;
  readonly statusOf: (dataset: ScheduledDataset) => Promise<DatasetStatus>;
}

type Response = MessageInitShape<typeof ListGlobalTendersResponseSchema>;

const tenderDataset = scheduled(globalTenders);

const nothing: Response = { dataAvailable: false, availability: "unavailable", countryCoverage: "unknown" };

/** Returns pages of open notices. If data is missing, the response says so, but the request does not fail. */
function tenderFeed(parts: TenderFeedParts) {
  const { database, served, clock } = parts;
  const names = { parameter: "cursor", next: "nextCursor" };
  const cursors = pageCursors(parts.cursors("tender pages"), positionSchema, names);
  const readOpenRows = openRowsReader(database);
  return async (request: ListGlobalTendersRequest, context: HandlerContext): Promise<Response> => {
    const now = clock();
    const filter = tenderFilter(request);
    const walk = walkOf(filter, request.sort);
    const after = cursors.read(walk, request.cursor, now);
    const applied = appliedFilters(filter, request);
    try {
      const visible = served.datasetIfAny(globalTenders, context, { flagged: "old" });
      const status = parts.statusOf(tenderDataset);
      const [datasetStatus, openRows, page, countryCoverage] = await Promise.all([
        status,
        visible ? status.then((known) => readOpenRows(known, now)) : new Map<string, number>(),
        visible &&
          readTenders(database, {
            filter,
            sort: request.sort,
            after,
            size: request.pageSize,
            now,
            walk: context.values.get(pageWalkKey),
          }),
        visible ? readCoverage(database, filter, now) : ("unknown" as const),
      ]);
      if (page && countryCoverage === "unknown")
        noteMissing(context, "notices of a requested country: no source has one");
      const statuses = statusesOf(datasetStatus, openRows);
      const sourceStatuses = statuses.map((status) => create(TenderSourceStatusSchema, status));
      if (!page || datasetStatus.storedAt === undefined) return { ...nothing, appliedFilters: applied, sourceStatuses };
      const others = await otherNotices(
        database,
        page.rows.map(({ id }) => id),
        now,
      );
      return {
        tenders: page.rows.map((row) => ({ ...tenderMessage(row), otherNotices: others.get(row.id) ?? [] })),
        nextCursor: page.next ? cursors.write(walk, page.next, now) : "",
        total: page.total,
        totalCapped: page.totalCapped,
        fetchedAt: datasetStatus.storedAt,
        dataAvailable: statuses.some(({ state, recordCount }) => state === "ok" || recordCount > 0),
        availability: availability(statuses, countryCoverage),
        countryCoverage,
        sourceStatuses,
        appliedFilters: applied,
      };
    } catch (error) {
      if (error instanceof Unavailable) return { ...nothing, appliedFilters: applied };
      throw error;
    }
  };
}

function statusesOf(status: DatasetStatus, rows: OpenRows): FeedSourceStatus[] {
  return globalTenders.sources.flatMap(({ name, minutesApart }) => {
    const source = status.sources.find((known) => known.name === name);
    return source ? sourceStatus(source, rows.get(name) ?? 0, status, minutesApart) : [];
  });
}

async function readCoverage(database: Store, { countries }: TenderFilter, now: Date): Promise<CountryCoverage> {
  if (!countries) return "not_requested";
  const { rows } = await sql<{ observed: boolean }>`
    select bool_and(exists (
      select from tender
      where closed_at is null and closing_key > ${now.getTime()} and terms @@ country.term::tsquery
    )) as observed
    from unnest(${countries.map((code) => lexeme(`country=${code}`))}::text[]) as country (term)`.execute(database);
  return rows[0]?.observed ? "observed" : "unknown";
}

const defaultObservations = 60;

function unknownGasCountry(country: string): InvalidRequest {
  const key = countryOf(country)?.alpha2 ?? "DE";
  const description = `value must be empty or EU. For one country, use get-series?series=gas.country_fill&keys=${key}`;
  return invalidField("country", description);
}

export const economic = {
  datasets: [
    tenderDataset,
    scheduled(euGasStorage),
    scheduled(energyCrisisPolicies),
    scheduled(laborStats),
    scheduled(economicStress),
    scheduled(countryMacro),
    scheduled(euHousingCycle),
    scheduled(euQuarterlyGovDebt),
    scheduled(euIndustrialProduction),
  ],
  retention: [tenderRetention],
  implement,
};

function implement(parts: TenderFeedParts): ServiceImpl<typeof EconomicService> {
  const { served, clock } = parts;
  const at = ({ freshForMinutes }: { readonly freshForMinutes: number }) => ({ freshForMinutes, now: clock() });
  return {
    listGlobalTenders: tenderFeed(parts),
    getCountryMacro(request, context) {
      const stored = served.messageIfAny(countryMacro, context, { flagged: "old" });
      const response = macroResponse(stored, request, clock());
      const parts = Object.values(response.data);
      for (const code of request.countries)
        if (stored && parts.every(({ countries }) => countries[code] === undefined))
          noteMissing(context, `${code}: the source has no value`);
      return cached(response, context);
    },
    getEuHousingCycle(request, context) {
      const stored = served.messageIfAny(euHousingCycle, context, { flagged: "old" })?.data?.housePrices;
      const { age, indicator } = indicatorResponse(housePrices, stored, request, at(euHousingCycle));
      return cached({ ...age, data: { housePrices: indicator } }, context);
    },
    getEuQuarterlyGovDebt(request, context) {
      const stored = served.messageIfAny(euQuarterlyGovDebt, context, { flagged: "old" })?.data?.govDebtQ;
      const { age, indicator } = indicatorResponse(govDebt, stored, request, at(euQuarterlyGovDebt));
      return cached({ ...age, data: { govDebtQ: indicator } }, context);
    },
    getEuIndustrialProduction(request, context) {
      const stored = served.messageIfAny(euIndustrialProduction, context, { flagged: "old" })?.data
        ?.industrialProduction;
      const { age, indicator } = indicatorResponse(industrialProduction, stored, request, at(euIndustrialProduction));
      return cached({ ...age, data: { industrialProduction: indicator } }, context);
    },
    getEuGasStorage({ country }, context) {
      if (country !== "" && country !== "EU") throw unknownGasCountry(country);
      return gasStorageAt(served.messageIfAny(euGasStorage, context, { flagged: "old" }), clock());
    },
    getEnergyCrisisPolicies(request, context) {
      const list = served.messageIfAny(energyCrisisPolicies, context);
      return list ? policiesOf(list, request) : { unavailable: true };
    },
    getLaborStatsSeries({ seriesId, limit = defaultObservations }, context) {
      const series = served.message(laborStats, context).series.find((known) => known.seriesId === seriesId);
      if (!series) throw new Unavailable(`${seriesId} was never loaded`);
      return { series: { ...series, observations: series.observations.slice(-limit) } };
    },
    getEconomicStress(_request, context) {
      return economicStressAt(served.messageIfAny(economicStress, context, { flagged: "old" }), clock());
    },
  };
}

/** Marks a response whose data is stale or missing as not cacheable, because new data can arrive at any time. */
function cached<Figures extends ReadAge>(response: Figures, context: HandlerContext): Figures {
  if (response.stale) setNoStore(context);
  return response;
}

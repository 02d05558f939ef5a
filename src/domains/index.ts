import type { DescMethod } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import { AccountService } from "../../gen/es/ids/account/v1/account_pb.ts";
import { AlertsService } from "../../gen/es/ids/alerts/v1/alerts_pb.ts";
import { BatchService } from "../../gen/es/ids/batch/v1/batch_pb.ts";
import { CatalogService } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { CompanyMonitoringService } from "../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import { CountryService } from "../../gen/es/ids/country/v1/country_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import { InfrastructureService } from "../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { ScenarioService } from "../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { ShippingService } from "../../gen/es/ids/shipping/v2/shipping_pb.ts";
import { services } from "../../gen/es/services.ts";
import type { Cursors } from "../access/cursor.ts";
import type { DatasetTiers } from "../changes/change-selection.ts";
import type { Implemented } from "../contract/implementation.ts";
import { deliveryBacklog } from "../delivery/backlog.ts";
import { type DeliveryParts, deliveryJobs } from "../delivery/delivery-jobs.ts";
import { deliveryJob, sweepJob } from "../delivery/delivery-kinds.ts";
import { deliveryRetention } from "../delivery/delivery-retention.ts";
import type { RegistrationParts } from "../delivery/registration-parts.ts";
import type { DatasetStatus } from "../ingest/dataset-status.ts";
import { combinedInputs, operationInputs } from "../ingest/graph.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import type { LiveSource } from "../ingest/source.ts";
import type { Job } from "../jobs/job.ts";
import type { JobKind } from "../jobs/queue.ts";
import type { Served } from "../store/served/served.ts";
import type { StoreTables } from "../store/tables.ts";
import { type AccountParts, account } from "./account/service.ts";
import type { AlertsParts } from "./alerts/alerts-parts.ts";
import { deliveryRules } from "./alerts/delivery-rules.ts";
import { confirmationRetention } from "./alerts/endpoints/confirmation.ts";
import { evaluationJob, evaluationKind } from "./alerts/evaluation/evaluation-job.ts";
import type { EvaluationParts } from "./alerts/evaluation/evaluation-parts.ts";
import { unevaluatedChanges } from "./alerts/evaluation/position.ts";
import { watched } from "./alerts/rules/rule-trigger.ts";
import { alerts } from "./alerts/service.ts";
import { type CatalogParts, catalog } from "./catalog/service.ts";
import { monitoringRetention } from "./company-monitoring/monitoring-retention.ts";
import { companyMonitoring } from "./company-monitoring/service.ts";
import { conflict, conflictDatasets } from "./conflict/service.ts";
import { briefOperations } from "./country/brief.ts";
import { economic, economicDatasets } from "./economic/service.ts";
import { tenderRetention } from "./economic/tenders/tender-retention.ts";
import { type HistoryParts, history } from "./history/service.ts";
import type { IpLocator } from "./infrastructure/ip-geo.ts";
import type { ReverseGeocoder } from "./infrastructure/reverse-geocoder.ts";
import { infrastructure, infrastructureDatasets, infrastructureLookups } from "./infrastructure/service.ts";
import { riskMethodology } from "./intelligence/risk/risk-methodology.ts";
import {
  type IntelligenceParts,
  intelligence,
  intelligenceDatasets,
  intelligenceLookups,
} from "./intelligence/service.ts";
import { market, marketDatasets } from "./market/service.ts";
import type { FlightTracker } from "./military/flights/flight-tracker.ts";
import { military, militaryDatasets, militaryLookups } from "./military/service.ts";
import { research, researchDatasets } from "./research/service.ts";
import { resilienceMethodology } from "./resilience/method/methodology.ts";
import { type ResilienceParts, resilience, resilienceDatasets } from "./resilience/service.ts";
import { type ScenarioJobParts, scenarioJob, scenarioJobs, scenarioSweep } from "./scenario/jobs.ts";
import { type ScenarioParts, scenario } from "./scenario/service.ts";
import { enqueueEvents } from "./shipping/outbox.ts";
import { shipping } from "./shipping/service.ts";
import { chokepointStatus } from "./supply-chain/chokepoints/chokepoint-status.ts";
import { supplyChain, supplyChainDatasets } from "./supply-chain/service.ts";
import { shippingStress } from "./supply-chain/shipping-stress/shipping-stress.ts";
import { trade, tradeDatasets } from "./trade/service.ts";

/** What the domains are made from. */
export interface DomainParts extends IntelligenceParts, ResilienceParts, ScenarioParts, RegistrationParts {
  readonly access: AccountParts;
  readonly alerts: Pick<AlertsParts, "sendsMail"> & { readonly tiers: DatasetTiers };
  readonly history: Pick<HistoryParts, "plans" | "requireAccess" | "withheldRows" | "termsOf">;
  readonly catalog: Omit<CatalogParts, "data" | "database" | "served" | "clock">;
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly geocoder: ReverseGeocoder;
  readonly locator: IpLocator;
  readonly flights: FlightTracker;
  readonly clock: () => Date;
  /** Signed cursors for a purpose; with a mark they begin with it. */
  readonly cursors: (purpose: string, mark?: string) => Cursors;
  readonly randomBytes: (size: number) => Buffer;
  /** How a dataset and its sources stand now, read from the store. */
  readonly statusOf: (dataset: ScheduledDataset) => Promise<DatasetStatus>;
  /** Logs what the operator should look into. */
  readonly warn: (message: string) => void;
}

/** A batch and a brief are made from the operations of all, changes from what all refreshes log. */
type Domain = Exclude<keyof typeof services, "batch" | "changes" | "country">;

/** One implementation for every service of the contract: a missing one does not compile. */
type Implementations = { readonly [D in Domain]: ServiceImpl<(typeof services)[D]> };

function implementations(parts: DomainParts): Implementations {
  return {
    account: account(parts.access),
    alerts: alerts({
      ...{ ...parts, ...parts.alerts },
      watched: watched(datasets, parts.alerts.tiers, parts.history.withheldRows),
    }),
    catalog: catalog({ ...parts, ...parts.catalog }),
    companyMonitoring: companyMonitoring(parts),
    conflict: conflict(parts),
    economic: economic(parts),
    history: history({ ...parts, ...parts.history, datasets }),
    infrastructure: infrastructure(parts),
    intelligence: intelligence(parts),
    market: market({ ...parts, shippingStress }),
    military: military(parts),
    research: research(parts),
    resilience: resilience(parts),
    scenario: scenario(parts),
    shipping: shipping(parts),
    supplyChain: supplyChain(parts),
    trade: trade(parts),
  };
}

/** The same, with the services that they implement. */
export function implementedDomains(parts: DomainParts): readonly Implemented[] {
  return Object.entries(implementations(parts)).map(
    ([domain, implementation]): Implemented => ({ service: services[domain as Domain], implementation }),
  );
}

/** Every dataset that is refreshed by a schedule. */
export const datasets = [
  ...conflictDatasets,
  ...economicDatasets,
  ...infrastructureDatasets,
  ...intelligenceDatasets,
  ...marketDatasets,
  ...militaryDatasets,
  ...researchDatasets,
  ...supplyChainDatasets(enqueueEvents),
  ...tradeDatasets,
  // Last, for it reads what the others store.
  ...resilienceDatasets,
] as const satisfies readonly ScheduledDataset[];

/** The name of a dataset; any other text does not compile. */
export type DatasetName = (typeof datasets)[number]["name"];

/** Every kind of job beside the refreshes. */
export const jobKinds: readonly JobKind[] = [deliveryJob, sweepJob, evaluationKind, scenarioJob, scenarioSweep];

/** How deliveries to webhooks stand, and how far rules are behind. */
export { deliveryBacklog, unevaluatedChanges };

/** How what these tables hold ends. */
export const domainRetention = [
  tenderRetention,
  deliveryRetention,
  confirmationRetention,
  ...monitoringRetention,
] as const;

/** What the jobs are made from. */
export type JobParts = Omit<DeliveryParts, "statusDataset" | "textOf" | "mayHave" | "reportDisabled"> &
  Omit<EvaluationParts, "watched"> &
  ScenarioJobParts & {
    readonly tiers: DatasetTiers;
    /** Sources of a read whose terms do not permit to give out what they told earlier. */
    readonly withheldRows: HistoryParts["withheldRows"];
  };

/** Every job beside the refreshes. */
export function jobs(parts: JobParts): readonly Job[] {
  return [
    ...deliveryJobs({ ...parts, ...deliveryRules(parts), statusDataset: chokepointStatus.name }),
    evaluationJob({ ...parts, watched: watched(datasets, parts.tiers, parts.withheldRows) }),
    ...scenarioJobs(parts),
  ];
}

/** Every source that an operation asks while a caller waits. */
export const lookups: readonly LiveSource[] = [...infrastructureLookups, ...intelligenceLookups, ...militaryLookups];

const ownInputs = operationInputs<(typeof datasets)[number]>(datasets, lookups);

/** What the answers of every operation are made from that is made from any data. */
export const operationOrigins = [
  ...ownInputs,
  combinedInputs(CountryService.method.getCountryBrief, briefOperations, ownInputs),
];

/** The operations whose answers stand in that of another; itself where none do. */
export function partsOf(method: DescMethod): readonly DescMethod[] {
  return method === CountryService.method.getCountryBrief ? briefOperations : [method];
}

/**
 * Public reads that are made from no dataset: what belongs to the account, what is told of the datasets themselves, tables of
 * the program, and the caller's address.
 * Every other one is served by a dataset or a look-up.
 */
export const madeFromNoDataset: readonly DescMethod[] = [
  ...[
    ...[AccountService, AlertsService, BatchService, CatalogService, ChangesService, CompanyMonitoringService],
    ...[HistoryService, ScenarioService, ShippingService],
  ].flatMap(({ methods }) => methods),
  InfrastructureService.method.getIpGeo,
];

/** How scores are made, for the page that tells it. */
export function methodologies() {
  return [riskMethodology(), resilienceMethodology()];
}

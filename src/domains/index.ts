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
import { namesOf } from "../reference/named.ts";
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

export interface DomainParts extends IntelligenceParts, ResilienceParts, ScenarioParts, RegistrationParts {
  readonly access: AccountParts;
  readonly alerts: Pick<AlertsParts, "sendsMail"> & { readonly tiers: DatasetTiers };
  readonly history: Pick<HistoryParts, "plans" | "requireAccess" | "withheldSources" | "termsOf">;
  readonly catalog: Omit<CatalogParts, "data" | "database" | "served" | "clock">;
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly geocoder: ReverseGeocoder;
  readonly locator: IpLocator;
  readonly flights: FlightTracker;
  readonly clock: () => Date;
  /** Returns signed cursors for a purpose. With a mark, each cursor begins with it. */
  readonly cursors: (purpose: string, mark?: string) => Cursors;
  readonly randomBytes: (size: number) => Buffer;
  readonly statusOf: (dataset: ScheduledDataset) => Promise<DatasetStatus>;
  readonly warn: (message: string) => void;
}

/** These domains are implemented elsewhere, because they need the operations or the change log of all others. */
type Domain = Exclude<keyof typeof services, "batch" | "changes" | "country">;

/** One implementation per service of the API. A missing one is a compile error. */
type Implementations = { readonly [D in Domain]: ServiceImpl<(typeof services)[D]> };

function implementations(parts: DomainParts): Implementations {
  return {
    account: account(parts.access),
    alerts: alerts({
      ...{ ...parts, ...parts.alerts },
      watched: watched(datasets, parts.alerts.tiers, parts.history.withheldSources),
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

export function implementedDomains(parts: DomainParts): readonly Implemented[] {
  const made = implementations(parts);
  return namesOf(made).map((domain): Implemented => ({ service: services[domain], implementation: made[domain] }));
}

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
  // These are last because they read what the others store.
  ...resilienceDatasets,
] as const satisfies readonly ScheduledDataset[];

export type DatasetName = (typeof datasets)[number]["name"];

export const jobKinds: readonly JobKind[] = [deliveryJob, sweepJob, evaluationKind, scenarioJob, scenarioSweep];

export { deliveryBacklog, unevaluatedChanges };

export const domainRetention = [
  tenderRetention,
  deliveryRetention,
  confirmationRetention,
  ...monitoringRetention,
] as const;

export type JobParts = Omit<DeliveryParts, "statusDataset" | "textOf" | "mayHave" | "reportDisabled"> &
  Omit<EvaluationParts, "watched"> &
  ScenarioJobParts & {
    readonly tiers: DatasetTiers;
    readonly withheldSources: HistoryParts["withheldSources"];
  };

export function jobs(parts: JobParts): readonly Job[] {
  return [
    ...deliveryJobs({ ...parts, ...deliveryRules(parts), statusDataset: chokepointStatus.name }),
    evaluationJob({ ...parts, watched: watched(datasets, parts.tiers, parts.withheldSources) }),
    ...scenarioJobs(parts),
  ];
}

/** Every source that an operation requests while a caller waits. */
export const lookups: readonly LiveSource[] = [...infrastructureLookups, ...intelligenceLookups, ...militaryLookups];

const ownInputs = operationInputs<(typeof datasets)[number]>(datasets, lookups);

export const operationOrigins = [
  ...ownInputs,
  combinedInputs(CountryService.method.getCountryBrief, briefOperations, ownInputs),
];

/** Returns the operations whose responses are part of another response, or only the operation itself. */
export function partsOf(method: DescMethod): readonly DescMethod[] {
  return method === CountryService.method.getCountryBrief ? briefOperations : [method];
}

/**
 * Public reads that use no dataset: data of the account, metadata of datasets, tables of the program, and the caller's
 * address. Every other read uses a dataset or a lookup.
 */
export const madeFromNoDataset: readonly DescMethod[] = [
  ...[
    ...[AccountService, AlertsService, BatchService, CatalogService, ChangesService, CompanyMonitoringService],
    ...[HistoryService, ScenarioService, ShippingService],
  ].flatMap(({ methods }) => methods),
  InfrastructureService.method.getIpGeo,
];

export function methodologies() {
  return [riskMethodology(), resilienceMethodology()];
}

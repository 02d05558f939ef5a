import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { services } from "../../gen/es/services.ts";
import type { Cursors } from "../cursor.ts";
import type { DatasetCondition } from "../ingest/condition.ts";
import type { ScheduledDataset } from "../ingest/scheduled.ts";
import type { Served } from "../store/served.ts";
import type { StoreTables } from "../store/tables.ts";
import { type AccountParts, account } from "./account/service.ts";
import { companyMonitoring } from "./company-monitoring/service.ts";
import { conflict, conflictDatasets } from "./conflict/service.ts";
import { economic, economicDatasets } from "./economic/service.ts";
import type { IpLocator } from "./infrastructure/ip-geo.ts";
import type { ReverseGeocoder } from "./infrastructure/reverse-geocoder.ts";
import { infrastructure, infrastructureDatasets } from "./infrastructure/service.ts";
import { military, militaryDatasets } from "./military/service.ts";

/** What the domains are made from. */
export interface DomainParts {
  readonly access: AccountParts;
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly geocoder: ReverseGeocoder;
  readonly locator: IpLocator;
  readonly clock: () => Date;
  /** Signed cursors for a purpose; with a mark they begin with it. */
  readonly cursors: (purpose: string, mark?: string) => Cursors;
  readonly randomBytes: (size: number) => Buffer;
  /** How a dataset and its sources stand now, read from the store. */
  readonly conditionOf: (dataset: ScheduledDataset) => Promise<DatasetCondition>;
}

/** One implementation for every service of the contract: a missing one does not compile. */
export type Implementations = { readonly [D in keyof typeof services]: ServiceImpl<(typeof services)[D]> };

export function implementations(parts: DomainParts): Implementations {
  return {
    account: account(parts.access),
    companyMonitoring: companyMonitoring(parts),
    conflict: conflict(parts),
    economic: economic(parts),
    infrastructure: infrastructure(parts),
    military: military(parts),
  };
}

/** Every dataset that is refreshed by a schedule. */
export const datasets: readonly ScheduledDataset[] = [
  ...conflictDatasets,
  ...economicDatasets,
  ...infrastructureDatasets,
  ...militaryDatasets,
];

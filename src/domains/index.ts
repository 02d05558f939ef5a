import type { DescMethod } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { CountryService } from "../../gen/es/ids/country/v1/country_pb.ts";
import { services } from "../../gen/es/services.ts";
import type { Implemented } from "../contract/implementation.ts";
import { combinedInputs, operationInputs } from "../ingest/graph.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import type { LiveSource } from "../ingest/source.ts";
import type { Job } from "../jobs/job.ts";
import type { JobKind } from "../jobs/queue.ts";
import { namesOf } from "../reference/named.ts";
import { account } from "./account/service.ts";
import { alerts } from "./alerts/service.ts";
import { catalog } from "./catalog/service.ts";
import { companyMonitoring } from "./company-monitoring/service.ts";
import { conflict } from "./conflict/service.ts";
import { briefOperations } from "./country/brief.ts";
import { economic } from "./economic/service.ts";
import { history } from "./history/service.ts";
import { infrastructure } from "./infrastructure/service.ts";
import { intelligence } from "./intelligence/service.ts";
import { market } from "./market/service.ts";
import { military } from "./military/service.ts";
import { research } from "./research/service.ts";
import { resilience } from "./resilience/service.ts";
import { scenario } from "./scenario/service.ts";
import { enqueueEvents } from "./shipping/outbox.ts";
import { shipping } from "./shipping/service.ts";
import { chokepointStatus } from "./supply-chain/chokepoints/chokepoint-status.ts";
import { supplyChain } from "./supply-chain/service.ts";
import { shippingStress } from "./supply-chain/shipping-stress/shipping-stress.ts";
import { trade } from "./trade/service.ts";

/** Services that are implemented elsewhere, because they need the operations or the change log of all domains. */
type Elsewhere = "batch" | "changes" | "country";

/** The domains by the name of their service. Their datasets are refreshed and listed in this order. */
const domains = {
  conflict,
  economic,
  infrastructure,
  intelligence,
  market,
  military,
  research,
  supplyChain: supplyChain(enqueueEvents),
  trade,
  // The datasets of `resilience` are computed from those of the domains above, so they come after them.
  resilience,
  account,
  alerts,
  catalog,
  companyMonitoring,
  history,
  scenario,
  shipping,
} satisfies {
  readonly [D in Exclude<keyof typeof services, Elsewhere>]: {
    readonly implement: (parts: never) => ServiceImpl<(typeof services)[D]>;
  };
};

const all = Object.values(domains);

type Domain = (typeof all)[number];
type With<K extends string> = Extract<Domain, Readonly<Record<K, unknown>>>;

function domainsWith<K extends string>(member: K): With<K>[] {
  return all.filter((each): each is With<K> => member in each);
}

export const datasets = domainsWith("datasets").flatMap(({ datasets: own }) => [...own]);

export type DatasetName = (typeof datasets)[number]["name"];

/** The sources that operations request only when a caller asks for data. */
export const lookups = domainsWith("lookups").flatMap((each): readonly LiveSource[] => each.lookups);

export const domainRetention = domainsWith("retention").flatMap(({ retention }) => [...retention]);

export const jobKinds = domainsWith("jobKinds").flatMap((each): readonly JobKind[] => each.jobKinds);

export const methodologies = () => domainsWith("methodology").map((each) => each.methodology());

/** A tuple prevents distribution over the union, so that the compiler intersects the parameters of all functions. */
type PartsOf<F> = [F] extends [(parts: infer P) => unknown] ? P : never;

/** The parts that the implementations of the domains need, except those that come from domains themselves. */
export type DomainParts = Omit<PartsOf<Domain["implement"]>, "datasets" | "shippingStress">;

export function implementedDomains(parts: DomainParts): readonly Implemented[] {
  const given = { ...parts, datasets, shippingStress };
  return namesOf(domains).map(
    (name): Implemented => ({ service: services[name], implementation: domains[name].implement(given) }),
  );
}

export type JobParts = Omit<PartsOf<With<"jobs">["jobs"]>, "datasets" | "statusDataset">;

export function jobs(parts: JobParts): readonly Job[] {
  const given = { ...parts, datasets, statusDataset: chokepointStatus.name };
  return domainsWith("jobs").flatMap((each) => each.jobs(given));
}

const ownInputs = operationInputs<ScheduledDataset<DatasetName>>(datasets, lookups);

export const operationOrigins = [
  ...ownInputs,
  combinedInputs(CountryService.method.getCountryBrief, briefOperations, ownInputs),
];

const originsByMethod = new Map(operationOrigins.map((origins) => [origins.method, origins]));

/** Returns the datasets and lookups of an operation; undefined if it has none. */
export function originsOf(method: DescMethod): (typeof operationOrigins)[number] | undefined {
  return originsByMethod.get(method);
}

/** Returns the operations that an operation calls for its response. By default, it is only the operation itself. */
export function partsOf(method: DescMethod): readonly DescMethod[] {
  return method === CountryService.method.getCountryBrief ? briefOperations : [method];
}

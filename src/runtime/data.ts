import { setTimeout as wait } from "node:timers/promises";
import { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { keysGeneration } from "../access/keys/keys.ts";
import { licensesBehind } from "../archive/manifest.ts";
import { ChangeFeed } from "../changes/change-feed.ts";
import type { ChangeReading } from "../changes/list-changes.ts";
import type { Config } from "../config/config.ts";
import { catalog } from "../contract/catalog.ts";
import { datasets, lookups } from "../domains/index.ts";
import { type IpLocator, openIpLocator } from "../domains/infrastructure/ip-geo.ts";
import {
  createReverseGeocoder,
  type GeocodingProvider,
  type ReverseGeocoder,
} from "../domains/infrastructure/reverse-geocoder.ts";
import { type DatasetStatus, datasetStatus } from "../ingest/dataset-status.ts";
import { storedBudget, storedRests } from "../ingest/request-limits.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { createUpstreams, type Upstreams } from "../ingest/upstreams.ts";
import { pageOf } from "../pages/reference/contents.ts";
import { changesGeneration } from "../store/changes/change-log.ts";
import { openReadReplica, type ReadReplica } from "../store/replica/read-replica.ts";
import { followGenerations } from "../store/served/generations.ts";
import type { Served } from "../store/served/served.ts";
import { serveDatasets } from "../store/served/served-datasets.ts";
import { type LiveOptions, liveUpstream, userAgent } from "../upstream/live.ts";
import type { AppParts } from "./app-parts.ts";
import { createHealth, type Health } from "./health.ts";
import { datasetTiers } from "./operation-access.ts";

export interface Data {
  readonly served: Served;
  readonly upstreams: Upstreams;
  readonly health: Health;
  readonly changes: ChangeReading;
  readonly feed: ChangeFeed;
  readonly replica: ReadReplica | undefined;
  readonly locator: IpLocator;
  readonly geocoder: ReverseGeocoder;
  readonly statusOf: (dataset: ScheduledDataset) => Promise<DatasetStatus>;
  /** Resolves when this process serves the data that was in the store at the time of the call. */
  readonly settled: () => Promise<void>;
}

export interface DataListeners {
  readonly datasetChanged: (name: string) => void;
  readonly keysChanged: () => void;
}

export async function openData(
  { config, database, clock, random, log, ...given }: AppParts,
  { datasetChanged, keysChanged }: DataListeners,
  stack: AsyncDisposableStack,
): Promise<Data> {
  const { data } = config;
  const warn = (message: string) => log.warn(message);
  const served = serveDatasets(database, { datasets, data, clock, moved: datasetChanged, log: warn });
  stack.defer(() => served.close());
  const replica =
    given.replica && (await openReadReplica(database, given.replica, { maxLagMs: given.maxLagMs, log: warn }));
  stack.defer(() => replica?.close());
  const changes = {
    database: replica?.kysely ?? database.kysely,
    liveOnly: data === "live",
    datasets: datasetTiers(),
    sourcesOf: sourcesByDataset(),
    link: linkOfChanges(),
  };
  const feed = await ChangeFeed.open({ ...changes, log: warn });
  stack.defer(() => feed.close());
  const generations = await followGenerations(database, {
    clock,
    log: warn,
    onChange(name, value) {
      replica?.published(name, value);
      if (name === keysGeneration) keysChanged();
      else if (name === changesGeneration) feed.moved(value);
      else served.changed(name);
    },
  });
  stack.defer(() => generations.close());
  const locator = await openIpLocator(config.geoipDatabase);
  stack.defer(() => locator[Symbol.dispose]());
  const upstreams = createUpstreams(config, clock, random, {
    takeRequest: storedBudget(database.kysely),
    rests: storedRests(database.kysely),
    tracing: given.tracing,
    ...given.outside,
  });
  const { missingOf } = upstreams;
  await served.settled();
  return {
    served,
    changes,
    feed,
    replica,
    upstreams,
    health: createHealth({
      database,
      datasets,
      lookups,
      missingOf,
      generations,
      data,
      clock,
      unready: given.unready,
      counts: served.counts,
      replica,
    }),
    locator,
    geocoder:
      given.geocoder ?? createReverseGeocoder(geocodingProvider(config, { clock, random, tracing: given.tracing })),
    statusOf: (dataset) =>
      datasetStatus(replica?.kysely ?? database.kysely, dataset, { datasets, missingOf, data, clock }),
    async settled() {
      await generations.poll();
      await served.settled();
    },
  };
}

/** Returns a function that lists all sources of a dataset, including those of its inputs. */
function sourcesByDataset(): (dataset: string) => readonly string[] {
  const all: readonly ScheduledDataset[] = datasets;
  const named = new Map(all.map((each) => [each.name, licensesBehind(each, all).map(({ source }) => source)]));
  return (name) => named.get(name) ?? [];
}

/** Returns a `Link` header to the page of the datasets, which has the terms of their sources. */
function linkOfChanges(): string {
  const pages = catalog.filter(({ method }) => method === ChangesService.method.listChanges).map(pageOf);
  return [...pages.map((page) => `<${page}>; rel="help"`), '</data>; rel="license"'].join(", ");
}

/** Returns the configured geocoder. Without one, an offline table is used. */
function geocodingProvider(
  { geocoderUrl: url, operator, variable, proxy }: Config,
  parts: Pick<LiveOptions, "clock" | "random" | "tracing">,
): { provider?: GeocodingProvider } {
  if (url === undefined) return {};
  const delay = (milliseconds: number) => wait(milliseconds);
  const { json } = liveUpstream({ ...parts, variable, proxy, wait: delay });
  return { provider: { url, userAgent: userAgent(operator.contact), json, clock: parts.clock, delay } };
}

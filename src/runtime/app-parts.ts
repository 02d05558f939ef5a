import type { Logger } from "pino";
import type { Secrets } from "../access/secret.ts";
import type { Config } from "../config/config.ts";
import type { Implemented } from "../contract/implementation.ts";
import type { ReverseGeocoder } from "../domains/infrastructure/reverse-geocoder.ts";
import type { JobLimits } from "../domains/scenario/job-store.ts";
import type { Resolve } from "../egress/resolver.ts";
import type { BatchLimits } from "../http/batch/run-batch.ts";
import type { StreamTimes } from "../http/changes/watch-streams.ts";
import type { ListenerLimits } from "../http/listener.ts";
import type { FairQueueLimits } from "../http/load/fair-queue.ts";
import type { Outside } from "../ingest/upstreams.ts";
import type { DemoKey } from "../pages/reference/reference.ts";
import type { Database } from "../store/database.ts";
import type { Tracing } from "../telemetry/tracing.ts";

/** Dependencies of an app in addition to its configuration. Most optional ones are for tests. */
export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  /** Standby of the database for reads. */
  readonly replica?: Database | undefined;
  readonly clock: () => Date;
  readonly random: () => number;
  /** Secrets from which encryption and signing keys are derived. */
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Tracing; undefined if it is disabled. */
  readonly tracing?: Tracing | undefined;
  /** Returns why `/readyz` must report 503, such as startup or shutdown; undefined if the process is ready. */
  readonly unready?: () => string | undefined;
  /** Demo keys that pages show. Only sample mode has them. */
  readonly demoKeys?: readonly DemoKey[];
  /** Overrides the configured geocoder. */
  readonly geocoder?: ReverseGeocoder;
  /** Replaces network access in tests. */
  readonly outside?: Outside;
  /** Replaces the name resolver of the operating system. */
  readonly resolve?: Resolve;
  /** Additional services that are not in the contract. */
  readonly services?: readonly Implemented[];
  /** Overrides the limits of concurrent work. */
  readonly queue?: Partial<FairQueueLimits>;
  /** Overrides the limits of the listener. */
  readonly listener?: Partial<ListenerLimits>;
  /** Overrides the limits of unfinished scenario jobs. */
  readonly scenarios?: Partial<JobLimits>;
  /** Overrides the maximum lag of a replica. */
  readonly maxLagMs?: number | undefined;
  /** Overrides the URL of Stripe. */
  readonly stripeUrl?: string | undefined;
  /** Overrides the folder with the archives of the clients. */
  readonly clientsFolder?: URL | undefined;
  /** Overrides the limits of a batch. */
  readonly batch?: Partial<BatchLimits>;
  /** Overrides the intervals and timeouts of streams. */
  readonly streamTimes?: Partial<StreamTimes>;
}

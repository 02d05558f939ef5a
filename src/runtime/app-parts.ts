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

/** Dependencies of an app in addition to its configuration. Tests override the optional ones. */
export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  /** A standby for reads. */
  readonly replica?: Database | undefined;
  readonly clock: () => Date;
  readonly random: () => number;
  /** Keys from which every secret at rest is derived. */
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Undefined if tracing is off. */
  readonly tracing?: Tracing | undefined;
  /** Reason why `/readyz` returns 503 although the process responds, such as startup or shutdown. */
  readonly unready?: () => string | undefined;
  /** Demo keys that the pages show; only in sample mode. */
  readonly demoKeys?: readonly DemoKey[];
  /** Overrides the configured geocoder. */
  readonly geocoder?: ReverseGeocoder;
  /** Overrides the network. */
  readonly outside?: Outside;
  /** Overrides the resolver of the machine. */
  readonly resolve?: Resolve;
  /** Services in addition to those of the contract. */
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
  /** Overrides the limits of a batch. */
  readonly batch?: Partial<BatchLimits>;
  /** Overrides the times at which streams are checked. */
  readonly streamTimes?: Partial<StreamTimes>;
}

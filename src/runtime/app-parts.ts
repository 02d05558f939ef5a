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
import type { AdmissionLimits } from "../http/load/admission.ts";
import type { Outside } from "../ingest/upstreams.ts";
import type { DemoKey } from "../pages/reference/reference.ts";
import type { Database } from "../store/database.ts";
import type { Tracing } from "../telemetry/tracing.ts";

/** What an app is made from besides its configuration: the store it reads and the world around it. */
export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  /** What reads may go to in its place. */
  readonly replica?: Database | undefined;
  readonly clock: () => Date;
  readonly random: () => number;
  /** What every secret at rest is derived from. */
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Undefined where nothing is recorded. */
  readonly tracing?: Tracing | undefined;
  /** Why it is not to be asked yet, or any more, though it answers: `/readyz` is 503 with this reason. */
  readonly unready?: () => string | undefined;
  /** Shown on the pages, for trying the service; only in sample mode. */
  readonly demoKeys?: readonly DemoKey[];
  /** In place of the configured one. */
  readonly geocoder?: ReverseGeocoder;
  /** In place of the network. */
  readonly outside?: Outside;
  /** In place of the machine's resolver. */
  readonly resolve?: Resolve;
  /** Services beside those of the contract. */
  readonly services?: readonly Implemented[];
  /** In place of what one process does at the same time. */
  readonly admission?: Partial<AdmissionLimits>;
  /** In place of what the port takes upon itself. */
  readonly listener?: Partial<ListenerLimits>;
  /** In place of how many scenario jobs may be unfinished. */
  readonly scenarios?: Partial<JobLimits>;
  /** In place of how far behind a replica may be. */
  readonly maxLagMs?: number | undefined;
  /** In place of Stripe's own address. */
  readonly stripeUrl?: string | undefined;
  /** In place of what one batch may take. */
  readonly batch?: Partial<BatchLimits>;
  /** In place of when streams are looked at. */
  readonly streamTimes?: Partial<StreamTimes>;
}

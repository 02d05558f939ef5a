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

/** Dependencies of an app in addition to its configuration. Tests override the optional ones. */
export interface AppParts {
  readonly config: Config;
  readonly database: Database;
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
  readonly geocoder?: ReverseGeocoder;
  readonly outside?: Outside;
  readonly resolve?: Resolve;
  /** Services in addition to those of the contract. */
  readonly services?: readonly Implemented[];
  readonly admission?: Partial<AdmissionLimits>;
  readonly listener?: Partial<ListenerLimits>;
  readonly scenarios?: Partial<JobLimits>;
  readonly maxLagMs?: number | undefined;
  readonly stripeUrl?: string | undefined;
  readonly batch?: Partial<BatchLimits>;
  readonly streamTimes?: Partial<StreamTimes>;
}

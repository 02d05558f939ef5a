import type { DescMethod } from "@bufbuild/protobuf";
import { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { CountryService } from "../../gen/es/ids/country/v1/country_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import type { Operation } from "../contract/catalog.ts";
import { type Implementation, type Implemented, type Step, wrapped } from "../contract/implementation.ts";
import { originsOf } from "../domains/index.ts";
import { type AuditParts, auditWrites } from "../interceptors/audit.ts";
import { type IdempotencyParts, replayWrites } from "../interceptors/idempotency.ts";
import { labelSamples } from "../interceptors/label-samples.ts";
import { type DigestParts, nameDigests } from "../interceptors/name-digests.ts";
import { reportDataStatus } from "../interceptors/report-data-status.ts";
import { trace } from "../interceptors/spans.ts";
import type { ReadReplica } from "../store/replica/read-replica.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { chargePast, type PastParts, readPast } from "./past-reads.ts";
import { selectUpdates, type UpdateParts } from "./updates/updates.ts";

/** Dependencies of all steps. */
export interface StepParts extends AuditParts, DigestParts, IdempotencyParts, PastParts, UpdateParts {
  readonly domain: PastParts["domain"];
  readonly tracing: Tracing | undefined;
  readonly playedBySamples: ReadonlySet<DescMethod>;
  readonly replica: Pick<ReadReplica, "read"> | undefined;
}

/** A function around the handlers of operations, such as validation. It applies to every protocol. */
export interface NamedStep {
  readonly name: string;
  /** Description of the step for docs/architecture.md. */
  readonly purpose: string;
  /** Returns the step for an operation; undefined if the operation does not need it. */
  readonly of: (operation: Operation, parts: StepParts) => Step | undefined;
}

/** Steps between the parsed request and the handler. The first one is the outermost. */
export const steps: readonly NamedStep[] = [
  { name: "trace", purpose: "Opens a span of the operation", of: trace },
  {
    name: "reportDataStatus",
    purpose: "Adds origin, age, and missing parts to the response of a read; 503 if its data is too old",
    of: reportDataStatus,
  },
  {
    name: "nameDigests",
    purpose: "Names the digest of the source's read that each input of a score comes from",
    of: nameDigests,
  },
  { name: "labelSamples", purpose: "Marks the responses of upstreams that samples replace", of: labelSamples },
  {
    name: "replayWrites",
    purpose: "Returns the first response to a write with the same `Idempotency-Key`; 400, 409, 422, 503",
    of: replayWrites,
  },
  { name: "auditWrites", purpose: "Logs a write before and after it runs", of: auditWrites },
  { name: "routeToReplica", purpose: "Reads datasets from the replica while it is up to date", of: routeToReplica },
  {
    name: "selectUpdates",
    purpose:
      "Applies `updated_after`; 400 if the read has no change log or the time is too old; 403 for restricted terms",
    of: selectUpdates,
  },
  { name: "chargePast", purpose: "Counts a past brief that is not cached as five reads; 429", of: chargePast },
  { name: "readPast", purpose: "Applies `as_of`: the handler reads the store as it was; 400, 403", of: readPast },
];

/** Returns the service with all steps around its operations. */
export function withSteps(implemented: Implemented, parts: StepParts): Implemented {
  return wrapped(implemented, (operation, handler) =>
    steps.reduceRight<Implementation>((next, { of }) => {
      const step = of(operation, parts);
      return step ? (request, context) => step(request, context, next) : next;
    }, handler),
  );
}

/**
 * Serves reads of data from the replica. Other operations use the primary, because only it has an account's last
 * writes. Lookups also use the primary, because they write to the store.
 */
function routeToReplica({ read, method }: Operation, { replica }: StepParts): Step | undefined {
  if (!read || !replica || !isOfData(method)) return undefined;
  return (request, context, next) => replica.read(async () => next(request, context));
}

function isOfData(method: DescMethod): boolean {
  // A country brief does not use the replica itself, but each of its parts is a read that does.
  if (method.parent === CountryService) return false;
  if (method.parent === HistoryService || method === ChangesService.method.listChanges) return true;
  const origins = originsOf(method);
  return origins !== undefined && origins.datasets.length > 0 && origins.lookups.length === 0;
}

import { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import type { Operation } from "../contract/catalog.ts";
import { type Implemented, wrapped } from "../contract/implementation.ts";
import { operationOrigins } from "../domains/index.ts";
import type { ReadReplica } from "../store/replica/read-replica.ts";

/** The same service, whose reads of data go to the replica where that has them. */
export function readFromReplica(implemented: Implemented, { read }: Pick<ReadReplica, "read">): Implemented {
  return wrapped(implemented, (operation, implementation) =>
    isOfData(operation) ? (request, context) => read(async () => implementation(request, context)) : implementation,
  );
}

/** Made from datasets alone: what belongs to an account was perhaps written a moment ago, and what is looked up is noted in the store. */
function isOfData({ read, method }: Operation): boolean {
  if (!read) return false;
  if (method.parent === HistoryService || method === ChangesService.method.listChanges) return true;
  const origins = operationOrigins.find((each) => each.method === method);
  return origins !== undefined && origins.datasets.length > 0 && origins.lookups.length === 0;
}

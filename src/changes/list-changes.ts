import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { callerKey, principalOf } from "../access/caller.ts";
import { markSample } from "../contract/request-context.ts";
import { ChangesGone } from "../errors.ts";
import { type LogExtent, logExtent, readChanges } from "../store/changes/change-log.ts";
import type { Store } from "../store/tables.ts";
import { ChangeEntry } from "./change-message.ts";
import { changeSelection, type DatasetTiers } from "./change-selection.ts";

export interface ChangeReading {
  readonly database: Store;
  readonly liveOnly: boolean;
  readonly datasets: DatasetTiers;
  readonly sourcesOf: (dataset: string) => readonly string[];
  /** `Link` header to the documentation and the terms of sources. */
  readonly link: string;
}

/** Maximum number of log positions that a call searches, because few entries may match a filter. */
const maxSearched = 10_000;

export function listChanges(reading: ChangeReading): ServiceImpl<typeof ChangesService>["listChanges"] {
  const { database, liveOnly, datasets } = reading;
  return async (request, context) => {
    const selection = changeSelection(request, datasets, principalOf(context.values.get(callerKey)).plan.tier);
    const extent = await logExtent(database);
    const from = positionAfter(request.after, extent);
    const upTo = Math.min(extent.newest, from + maxSearched);
    const { limit } = request;
    const rows = await readChanges(database, { after: from, upTo, limit, liveOnly }, selection.filter);
    const found = rows.map((row) => new ChangeEntry(row));
    const at = rows.length === limit ? (rows.at(-1)?.position ?? upTo) : upTo;
    noteOrigin(found, reading, context);
    return {
      changes: found.map(({ message }) => message),
      nextPosition: BigInt(at),
      more: at < extent.newest,
    };
  };
}

/** Parses a position; undefined and 0 mean the oldest entry. Throws `ChangesGone` if it is too old or too new. */
export function positionAfter(requested: bigint | undefined, { floor, newest }: LogExtent): number {
  const after = Number(requested ?? 0);
  if (after === 0) return floor;
  if (after < floor)
    throw new ChangesGone(
      `after: changes up to position ${floor} are no longer retained; read the data again and start with after=${floor}`,
    );
  // A position above the newest one is from another log: the store was restored, or the client used another service.
  if (after > newest)
    throw new ChangesGone(
      `after: the newest position is ${newest}; read the data again and start with after=${newest}`,
    );
  return after;
}

function noteOrigin(
  entries: readonly ChangeEntry[],
  { liveOnly, sourcesOf, link }: Pick<ChangeReading, "liveOnly" | "sourcesOf" | "link">,
  { responseHeader, values }: Pick<HandlerContext, "responseHeader" | "values">,
): void {
  const isSample = entries.length === 0 ? !liveOnly : entries.some(({ logged }) => logged.origin === "sample");
  if (isSample) markSample({ values });
  const sources = new Set(entries.flatMap(({ logged }) => sourcesOf(logged.dataset)));
  if (sources.size === 0) return;
  responseHeader.set("X-Data-Sources", [...sources].join(", "));
  responseHeader.set("Link", link);
}

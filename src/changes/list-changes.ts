import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { callerKey, principalOf } from "../access/caller.ts";
import { ChangesGone } from "../errors.ts";
import { type LogExtent, logExtent, readChanges } from "../store/changes/change-log.ts";
import type { StoreTables } from "../store/tables.ts";
import { ChangeEntry } from "./change-message.ts";
import { changeSelection, type DatasetTiers } from "./change-selection.ts";

export interface ChangeReading {
  readonly database: Kysely<StoreTables>;
  /** Live mode shows no samples. */
  readonly liveOnly: boolean;
  /** Every dataset. */
  readonly datasets: DatasetTiers;
  /** Names of the sources that a dataset is made from, at any remove. */
  readonly sourcesOf: (dataset: string) => readonly string[];
  /** Value of `Link`: to the documentation and to the terms of sources. */
  readonly link: string;
}

/** Positions that one call searches: filters may match few entries of many. */
const maxSearched = 10_000;

/** Changes of the log in their order. */
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

/**
 * Where reading begins; the oldest entry where nothing is asked for, or 0. Throws `ChangesGone` for what is no longer kept, and
 * for what was never there.
 */
export function positionAfter(requested: bigint | undefined, { floor, newest }: LogExtent): number {
  const after = Number(requested ?? 0);
  if (after === 0) return floor;
  if (after < floor)
    throw new ChangesGone(
      `after: changes up to position ${floor} are no longer kept; read the data again and begin with after=${floor}`,
    );
  // It was read from another log: this store's was put back from a backup, or the address leads to another service.
  if (after > newest)
    throw new ChangesGone(
      `after: the newest position is ${newest}; read the data again and begin with after=${newest}`,
    );
  return after;
}

function noteOrigin(
  entries: readonly ChangeEntry[],
  { sourcesOf, link }: Pick<ChangeReading, "sourcesOf" | "link">,
  { responseHeader }: Pick<HandlerContext, "responseHeader">,
): void {
  if (entries.some(({ logged }) => logged.origin === "sample")) responseHeader.set("X-Data-Origin", "sample");
  const sources = new Set(entries.flatMap(({ logged }) => sourcesOf(logged.dataset)));
  if (sources.size === 0) return;
  responseHeader.set("X-Data-Sources", [...sources].join(", "));
  responseHeader.set("Link", link);
}

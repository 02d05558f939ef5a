import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { scheduled } from "../../ingest/scheduled.ts";
import type { Served } from "../../store/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { conflictEvents } from "./conflict-events.ts";
import { readEvents } from "./event-table.ts";
import { eventWindow } from "./event-window.ts";

const mostEvents = 5_000;

/** The datasets behind these operations. */
export const conflictDatasets = [scheduled(conflictEvents)];

/** Conflict operations, answered from the store. */
export function conflict(parts: {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly clock: () => Date;
}): ServiceImpl<typeof ConflictService> {
  const { database, served, clock } = parts;
  return {
    async listConflictEvents({ start, end, country }, context) {
      served.dataset(conflictEvents, context);
      const window = eventWindow(start, end, clock());
      if (window.from > window.to) return { events: [], pagination: { totalCount: 0 } };
      const { events, totalCount } = await readEvents(database, { ...window, country }, mostEvents);
      return { events, pagination: { totalCount } };
    },
  };
}

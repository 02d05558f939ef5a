import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { storedGenerations } from "../../ingest/stored-facts.ts";
import type { Served } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { conflictEvents } from "./conflict-events.ts";
import { buildEventIndex, type EventIndex } from "./event-index.ts";
import { readAllEvents, readEvents } from "./event-table.ts";
import { eventWindow } from "./event-window.ts";

const maxEvents = 5_000;

/** The datasets behind these operations. */
export const conflictDatasets = [scheduled(conflictEvents)];

/** Conflict operations, answered from the store. */
export function conflict(parts: {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly clock: () => Date;
}): ServiceImpl<typeof ConflictService> {
  const { database, served, clock } = parts;
  let index: EventIndex | undefined;
  served.follow(conflictEvents, async ({ generation }) => {
    const loaded = await buildEventIndex(generation, readAllEvents(database));
    const stored = await storedGenerations(database, [conflictEvents]);
    // What was stored meanwhile may be half in it; this is called again for that.
    index = stored.get(conflictEvents.name) === generation ? loaded : undefined;
  });
  return {
    async listConflictEvents({ start, end, country }, context) {
      const { generation } = served.dataset(conflictEvents, context);
      const window = eventWindow(start, end, clock());
      if (window.from > window.to) return { events: [], pagination: { totalCount: 0 } };
      const filter = { ...window, country };
      const known = index?.generation === generation ? index.read(filter, maxEvents) : undefined;
      const { events, totalCount } = known ?? (await readEvents(database, filter, maxEvents));
      return { events: [...events], pagination: { totalCount } };
    },
  };
}

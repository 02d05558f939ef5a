import type { ServiceImpl } from "@connectrpc/connect";
import type { ResearchService } from "../../../gen/es/ids/research/v1/research_pb.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import type { Served } from "../../store/served/served.ts";
import { techEvents, techEventsAt, withoutEvents } from "./tech-events.ts";

/** The datasets behind these operations. */
export const researchDatasets = [scheduled(techEvents)];

/** Research operations, answered from memory. */
export function research(parts: {
  readonly served: Served;
  readonly clock: () => Date;
}): ServiceImpl<typeof ResearchService> {
  const { served, clock } = parts;
  return {
    listTechEvents(request, context) {
      const stored = served.messageIfAny(techEvents, context);
      return stored
        ? techEventsAt(stored, request, clock())
        : withoutEvents(served.messageIfAny(techEvents, context, { flagged: "old" }));
    },
  };
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { ChokepointReadingSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import type { Source } from "../../../ingest/source.ts";
import { chokepoints, threatLevelsReviewedAt } from "../../../reference/trade/chokepoints.ts";

export type Reading = MessageInitShape<typeof ChokepointReadingSchema>;

/** Our own table of threats. As a source that always answers, it lets each run tell how old the other inputs have become. */
export const threatTable: Source<Reading> = {
  name: "threat-table",
  licence: { kind: "open", terms: "Part of this project" },
  own: true,
  variables: [],
  rows: { atLeast: chokepoints.length, mayBeEmpty: false },
  observedAt: () => Date.parse(threatLevelsReviewedAt),
  fetch: async () => chokepoints.map(({ id, threat }) => ({ chokepointId: id, level: threat })),
  parse: (answer) => ({
    rows: z
      .array(z.object({ chokepointId: z.string(), level: z.string() }))
      .parse(answer)
      .map((value) => ({ told: { case: "threat" as const, value } })),
    rejected: [],
  }),
};

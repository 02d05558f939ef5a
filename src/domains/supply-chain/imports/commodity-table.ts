import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { WatchedCommoditySchema } from "../../../../gen/es/ids/stored/v1/vulnerability_pb.ts";
import type { Source } from "../../../ingest/source.ts";
import { commodities } from "../../../reference/trade/commodities.ts";

/** Our own table of commodities. As a source that always answers, it lets each run score what is stored then. */
export const commodityTable: Source<MessageInitShape<typeof WatchedCommoditySchema>> = {
  name: "commodity-table",
  licence: { kind: "open", terms: "Part of this project" },
  own: true,
  variables: [],
  rows: { atLeast: commodities.length, mayBeEmpty: false },
  fetch: async () => commodities.map(({ id }) => id),
  parse: (answer) => ({
    rows: z
      .array(z.string())
      .parse(answer)
      .map((id) => ({ id })),
    rejected: [],
  }),
};

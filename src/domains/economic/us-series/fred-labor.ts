import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import type { Source } from "../../../ingest/source.ts";
import { fredMetadata, fredTerms } from "../../../providers/fred/fred.ts";
import { fetchFred, readFred } from "./fred.ts";
import { laborSeries, yearsOfHistory } from "./labor-series.ts";

const ids = laborSeries.map(({ id }) => id);

/** FRED republishes the series of the Bureau of Labor Statistics. */
export const fredLabor: Source<MessageInitShape<typeof ObservationSchema>> = {
  name: "fred-labor",
  license: { kind: "attribution", terms: `${fredTerms}; the series are public domain` },
  ...fredMetadata,
  rows: { atLeast: 200, mayBeEmpty: false },
  fetch(upstream) {
    const since = upstream.now.getUTCFullYear() - yearsOfHistory;
    return fetchFred(upstream, ids, { sort_order: "asc", observation_start: `${since}-01-01` });
  },
  parse: (responses) => readFred(responses, ids),
  observedAt: ({ date = "" }) => Date.parse(date),
};

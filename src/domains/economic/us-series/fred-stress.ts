import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import type { Source } from "../../../ingest/source.ts";
import { fredMetadata, fredTerms } from "../../../providers/fred/fred.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { fetchFred, readFred } from "./fred.ts";
import { type StressSeries, stressSeries } from "./stress-index.ts";

const ofFred = stressSeries.filter(({ publisher }) => publisher === "fred");
const open = ofFred.filter(({ permission }) => permission === undefined);

/** The daily and weekly series of the stress index. Only series that may be served are requested. */
export const fredStress: Source<MessageInitShape<typeof ObservationSchema>> = {
  name: "fred-stress",
  license: { kind: "attribution", terms: `${fredTerms}; VIXCLS is copyrighted by Cboe, restricted` },
  ...fredMetadata,
  optionalVariables: ofFred.flatMap(({ permission }) => permission ?? []),
  withheldParts: ofFred.flatMap(({ id, permission }) => (permission === undefined ? [] : [id])),
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch(upstream) {
    const ids = ofFred.filter((series) => mayBeServed(series, upstream)).map(({ id }) => id);
    return fetchFred(upstream, ids, { sort_order: "desc", limit: "120" });
  },
  parse: (responses) =>
    readFred(
      responses,
      open.map(({ id }) => id),
    ),
  observedAt: ({ date = "" }) => Date.parse(date),
};

/** Sample values are invented, so no permission is needed. */
function mayBeServed({ permission }: StressSeries, upstream: Upstream): boolean {
  return permission === undefined || upstream.origin === "sample" || upstream.variable(permission, "off") === "on";
}

import { readFile } from "node:fs/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { EnergyCrisisPolicySchema } from "../../../../gen/es/ids/economic/v1/energy_crisis_policy_pb.ts";
import type { Source } from "../../../ingest/source.ts";
import { readPolicies } from "./policy-list.ts";

/** The project's own list of measures against energy crises, with a source for each. */
export const curatedPolicies: Source<MessageInitShape<typeof EnergyCrisisPolicySchema>> = {
  name: "curated-policies",
  license: { kind: "open", terms: "Part of this project" },
  own: true,
  variables: [],
  rows: { atLeast: 30, mayBeEmpty: false },
  fetch: () => readFile(new URL("energy-crisis-policies.csv", import.meta.url), "utf8"),
  parse: (text) => readPolicies(z.string().parse(text)),
  observedAt: ({ dateAnnounced = "" }) => Date.parse(dateAnnounced),
};

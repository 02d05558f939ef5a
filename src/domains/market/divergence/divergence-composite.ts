import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type PhysicalDivergenceCompositeSchema,
  PhysicalDivergenceStateSchema,
  PhysicalDivergenceState as State,
} from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { metals } from "../metals.ts";
import type { Finding } from "../premiums/input-state.ts";
import { grading, methodologyVersion } from "./divergence-method.ts";
import type { Reading } from "./divergence-reading.ts";

type Composite = MessageInitShape<typeof PhysicalDivergenceCompositeSchema>;

const weighted = {
  weights: metals.map(({ metal }) => ({ metal, weight: grading[metal].weight, methodologyVersion })),
  methodologyVersion,
};

/** Combines all metals into one value. If there is nothing to evaluate, the finding gives the reason. */
export function compositeOf(readings: readonly Reading[], nothing: Finding | undefined): Composite {
  if (nothing) return { ...weighted, ...nothing };
  // The states are numbered from good to bad. If several metals have the worst state, the first one counts.
  const worst = readings.reduce((worse, reading) => (reading.state > worse.state ? reading : worse));
  if (worst.state !== State.OK)
    return {
      ...weighted,
      state: worst.state,
      reason: `member_not_ok:${worst.metal}:${nameOf(worst.state)}`,
    };
  const index = readings.reduce((sum, reading) => sum + grading[reading.metal].weight * (reading.index ?? 0), 0);
  return { ...weighted, state: State.OK, index: roundedAway(index, 2) };
}

function nameOf(state: State): string | undefined {
  return PhysicalDivergenceStateSchema.value[state]?.localName.toLowerCase();
}

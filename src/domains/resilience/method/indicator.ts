import type { InputName } from "../inputs.ts";
import type { Inputs, Metadata } from "../metadata.ts";
import type { Scale } from "./scale.ts";
import type { ImputationId } from "./structure.ts";

/** One slot of a dimension. */
export interface Indicator {
  readonly id: string;
  /** Share in its dimension. */
  readonly weight: number;
  readonly inputs: readonly InputName[];
  /** How the inputs become the value; empty for the one input as it is. */
  readonly formula: string;
  readonly scale: Scale;
  readonly value: (metadata: Metadata, countryInputs: Inputs) => number | undefined;
  /** 0 to 1; 1 when absent. */
  readonly certainty?: (metadata: Metadata, countryInputs: Inputs) => number;
  /** Share of a worldwide disturbance that reaches the country: the rest scores 100. */
  readonly exposure?: (metadata: Metadata) => number | undefined;
  /** Its share in the score shrinks where little is written in English. */
  readonly byLanguage?: true;
  /** What stands in for it. */
  readonly absent?: ImputationId;
  /** Why no source tells it. */
  readonly missing?: string;
}

export type Line = readonly [worst: number, best: number];
type Extras = Partial<Pick<Indicator, "absent" | "certainty" | "exposure" | "byLanguage">>;

const scaleOf = (scale: Line | Scale): Scale => ("length" in scale ? { worst: scale[0], best: scale[1] } : scale);

/** An input as it is. */
export function direct(
  id: string,
  weight: number,
  input: InputName,
  scale: Line | Scale,
  extras: Extras = {},
): Indicator {
  const value = (metadata: Metadata) => metadata.value(input);
  return { id, weight, inputs: [input], formula: "", scale: scaleOf(scale), value, ...extras };
}

/** A formula over inputs. */
export function derived(
  id: string,
  weight: number,
  inputs: readonly InputName[],
  formula: string,
  scale: Line | Scale,
  value: Indicator["value"],
  extras: Extras = {},
): Indicator {
  return { id, weight, inputs, formula, scale: scaleOf(scale), value, ...extras };
}

/** No source tells it that may be used. */
export function missing(id: string, weight: number, scale: Line, reason: string, extras: Extras = {}): Indicator {
  return {
    id,
    weight,
    inputs: [],
    formula: "",
    scale: scaleOf(scale),
    value: () => undefined,
    missing: reason,
    ...extras,
  };
}

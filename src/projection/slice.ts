import type { Fuel } from "./fuel.ts";
import { InvalidExpression } from "./projection-errors.ts";
import type { Bounds } from "./syntax.ts";
import { isArray, type Json, type JsonArray } from "./value.ts";

/** `[start:end:step]` as the specification counts: from the end when negative, never beyond either end. */
export function slicer([start, end, stepOrNone]: Bounds): (value: Json, fuel: Fuel) => JsonArray | null {
  const step = stepOrNone ?? 1;
  if ([start, end, step].some((bound) => Number.isNaN(bound)))
    throw new InvalidExpression("A slice takes whole numbers");
  if (step === 0) throw new InvalidExpression("Invalid slice, step cannot be 0");
  return (value, fuel) => {
    fuel.spend(1);
    if (!isArray(value)) return null;
    const { length } = value;
    const low = step > 0 ? 0 : -1;
    const high = step > 0 ? length : length - 1;
    const within = (bound: number) => Math.min(Math.max(bound < 0 ? bound + length : bound, low), high);
    const from = start === null ? (step > 0 ? low : high) : within(start);
    const to = end === null ? (step > 0 ? high : low) : within(end);
    fuel.spend(Math.max(0, Math.ceil((to - from) / step)));
    const taken: Json[] = [];
    for (let index = from; step > 0 ? index < to : index > to; index += step) taken.push(value[index] ?? null);
    return taken;
  };
}

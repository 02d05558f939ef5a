import { rounded } from "../../../reference/rounding.ts";

/** Score of a day without change, and points a percent that the mean falls. */
const resting = 40;
const pointsPerPercent = 3;

/** Each level holds below its bound. */
const levels = [
  [25, "low"],
  [50, "moderate"],
  [75, "elevated"],
] as const;

/** The stress that carriers' changes of a day tell of, in percent; without any there is none to tell. */
export function stressOf(changes: readonly number[]) {
  if (changes.length === 0) return { stressScore: 0, stressLevel: "" };
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const stressScore = Math.min(Math.max(rounded(resting - pointsPerPercent * mean), 0), 100);
  return { stressScore, stressLevel: levels.find(([bound]) => stressScore < bound)?.[1] ?? "critical" };
}

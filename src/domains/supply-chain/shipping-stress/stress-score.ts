import { rounded } from "../../../reference/rounding.ts";

/** The score of a day without change, and the points per percent that the mean falls. */
const resting = 40;
const pointsPerPercent = 3;

/** Each level applies below its bound. */
const levels = [
  [25, "low"],
  [50, "moderate"],
  [75, "elevated"],
] as const;

/** Returns the stress from the daily changes of carriers in percent. Without any change, there is no stress level. */
export function stressOf(changes: readonly number[]) {
  if (changes.length === 0) return { stressScore: 0, stressLevel: "" };
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const stressScore = Math.min(Math.max(rounded(resting - pointsPerPercent * mean), 0), 100);
  return { stressScore, stressLevel: levels.find(([bound]) => stressScore < bound)?.[1] ?? "critical" };
}

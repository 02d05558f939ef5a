import { createHash } from "node:crypto";
import type { Series } from "../../ingest/series/series.ts";

/** How a figure of the sample came to its first point; `drawn`: weeks of earlier days are like those that were told first. */
export type Movement = "drawn" | Waves;

/** It moved with the waves of what it is about, which are those of all figures about the same. */
interface Waves {
  /** How far a wave moves its logarithm; below 0 it falls when others rise. */
  readonly share: number;
  /** Beside that so many points. */
  readonly points?: number;
  readonly most?: number;
  /** Values are multiples of it; of 0.01 when absent. */
  readonly unit?: number;
  /** What it is about, where that is not the first part of its key. */
  readonly subject?: string;
  /** Stores of gas are filled in summer and drawn down in winter. */
  readonly isGas?: boolean;
  /** So much is invented before the first point, of more than a year where seasons are compared. */
  readonly weeks?: number;
  /** A year. */
  readonly growth?: number;
}

const gas = { share: 0.01, isGas: true, weeks: 6 * 53 } as const;
const macro = { unit: 0.1 } as const;
const risk = { most: 100, unit: 1 } as const;
const stress = { share: 0.25, most: 100, subject: "US" } as const;
const resilience = { share: -0.05, most: 100 } as const;

/** Of others than these a figure of refreshes moves as it usually does, and one of days is drawn. */
const movements: Readonly<Record<string, Movement>> = {
  "chokepoint.disruption": { share: 0, points: 20, most: 100, unit: 5 },
  "gas.country_fill": { ...gas, most: 100 },
  "gas.fill": { ...gas, most: 100 },
  "gas.stored": { ...gas, unit: 0.1 },
  "macro.current_account": { ...macro, share: 0.3 },
  "macro.gdp_per_capita": { share: 0.03, growth: 0.03, unit: 0.001 },
  "macro.growth": { ...macro, share: 0.4 },
  "macro.inflation": { ...macro, share: 0.3 },
  "macro.unemployment": { ...macro, share: 0.1 },
  "resilience.domain": resilience,
  "resilience.pillar": resilience,
  "resilience.score": resilience,
  "risk.conflict": { ...risk, share: 0.25 },
  "risk.score": { ...risk, share: 0.1 },
  "risk.unrest": { ...risk, share: 0.25 },
  "shipping.stress": { share: 0.25, most: 100, unit: 1 },
  "stress.component": stress,
  "stress.composite": { ...stress, unit: 0.1 },
};

/** Undefined where what is told reaches back by itself. */
export function movementOf({ id, step }: Pick<Series, "id" | "step">): Movement | undefined {
  const usual: Partial<Record<Series["step"], Movement>> = { refresh: { share: 0.06, most: 100 }, day: "drawn" };
  return movements[id] ?? usual[step];
}

/** Heights and days from crest to crest; the heights sum up to 1. */
const waves = [
  [0.5, 131],
  [0.32, 37],
  [0.18, 9],
] as const;

/** The waves of a subject by days, from -1 to 1; always the same. */
export function waveOf(subject: string): (day: number) => number {
  const phases = createHash("sha256").update(subject).digest();
  return (day) =>
    waves.reduce((sum, [height, days], place) => {
      const turn = (phases.readUInt8(place) / 256 + day / days) * 2 * Math.PI;
      return sum + height * Math.sin(turn);
    }, 0);
}

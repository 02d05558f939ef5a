import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EconomicStressComponentSchema } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { rounded } from "../../../reference/rounding.ts";

export interface StressSeries {
  readonly id: string;
  readonly label: string;
  readonly weight: number;
  /** The value of the series at which its score is 0, the calm end. */
  readonly calm: number;
  /** The value of the series at which its score is 100, the stressed end. */
  readonly extreme: number;
  readonly publisher: "fred" | "gscpi";
  /** The variable with which the operator allows serving the values. Absent if no permission is needed. */
  readonly permission?: string;
}

export const stressSeries: readonly StressSeries[] = [
  { id: "T10Y2Y", label: "Yield Curve", weight: 0.2, calm: 0.5, extreme: -1.5, publisher: "fred" },
  { id: "T10Y3M", label: "Bank Spread", weight: 0.15, calm: 0.5, extreme: -1, publisher: "fred" },
  {
    id: "VIXCLS",
    label: "Volatility",
    weight: 0.2,
    calm: 15,
    extreme: 80,
    publisher: "fred",
    permission: "IDS_SOURCE_VIXCLS",
  },
  { id: "STLFSI4", label: "Financial Stress", weight: 0.2, calm: -1, extreme: 5, publisher: "fred" },
  { id: "GSCPI", label: "Supply Chain", weight: 0.15, calm: -2, extreme: 4, publisher: "gscpi" },
  { id: "ICSA", label: "Job Claims", weight: 0.1, calm: 180_000, extreme: 500_000, publisher: "fred" },
];

const bands = [
  [20, "Low"],
  [40, "Moderate"],
  [60, "Elevated"],
  [80, "Severe"],
] as const;

export interface StressIndex {
  readonly compositeScore: number;
  readonly label: string;
  readonly components: MessageInitShape<typeof EconomicStressComponentSchema>[];
}

/** Computes the weighted mean of the scores. A series without a value is left out. Undefined if none has a value. */
export function stressIndex(latest: ReadonlyMap<string, number>): StressIndex | undefined {
  const components = stressSeries.map((series) => componentOf(series, latest.get(series.id)));
  const present = components.filter(({ missing }) => !missing);
  if (present.length === 0) return undefined;
  const weights = present.reduce((sum, { weight }) => sum + weight, 0);
  const compositeScore = rounded(present.reduce((sum, { score, weight }) => sum + score * weight, 0) / weights, 1);
  return { compositeScore, label: bandOf(compositeScore), components };
}

export function bandOf(score: number): string {
  return bands.find(([below]) => score < below)?.[1] ?? "Critical";
}

/** Returns the score of a value: its position between `calm` (0) and `extreme` (100). */
export function scoreOf({ calm, extreme }: Pick<StressSeries, "calm" | "extreme">, value: number): number {
  return Math.min(100, Math.max(0, ((value - calm) / (extreme - calm)) * 100));
}

function componentOf(series: StressSeries, value: number | undefined) {
  const { id, label, weight } = series;
  return value === undefined
    ? { id, label, rawValue: 0, score: 0, weight, missing: true }
    : { id, label, rawValue: value, score: scoreOf(series, value), weight, missing: false };
}

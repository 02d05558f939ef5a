export interface Alert {
  readonly score: number;
  /** Whether the next rise to the threshold is reported. */
  readonly armed: boolean;
}

export interface Judged {
  readonly alert: Alert;
  readonly event?: { readonly type: "chokepoint.disruption" | "chokepoint.recovered"; readonly reason: Reason };
}

export type Reason = "score_crossed_threshold" | "score_fell_below_threshold" | "score_changed";

/** A score must fall this far below the threshold before the next rise is reported, to avoid repeated events. */
const hysteresis = 5;

/**
 * Reports a rise to the threshold once, then a fall well below it, then the next rise. The first score is reported if
 * it is already past the threshold. With threshold 0, every change is reported.
 */
export function judge(before: Alert | undefined, score: number, threshold: number): Judged {
  const alert = (armed: boolean): Alert => ({ score, armed });
  if (threshold === 0 && before) {
    if (before.score === score) return { alert: before };
    return { alert: alert(true), event: { type: "chokepoint.disruption", reason: "score_changed" } };
  }
  const armed = before?.armed ?? true;
  if (armed && score >= threshold && score > 0)
    return { alert: alert(false), event: { type: "chokepoint.disruption", reason: "score_crossed_threshold" } };
  if (!armed && score <= Math.max(threshold - hysteresis, 0))
    return { alert: alert(true), event: { type: "chokepoint.recovered", reason: "score_fell_below_threshold" } };
  return { alert: alert(armed) };
}

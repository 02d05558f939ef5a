/** What a webhook was told of a chokepoint, or would have been. */
export interface Alert {
  readonly score: number;
  /** The next rise to the threshold is told. */
  readonly armed: boolean;
}

/** A new score seen by a webhook: what is kept of it, and what is told. */
export interface Judged {
  readonly alert: Alert;
  readonly event?: { readonly type: "chokepoint.disruption" | "chokepoint.recovered"; readonly reason: Reason };
}

export type Reason = "score_crossed_threshold" | "score_fell_below_threshold" | "score_changed";

/** How far below its threshold a score must fall before it is told of again: one that trembles is told once. */
const hysteresis = 5;

/**
 * A rise to the threshold is told once, then the fall well below it, then the next rise. A score seen for the first time is
 * told when it stands there already. At threshold 0 every change is told.
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

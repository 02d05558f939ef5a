export interface Coverage {
  /** The source has the series, or has not returned enough empty responses yet. */
  readonly advertised: boolean;
  /** The number of responses without data since the last one with data. */
  readonly emptyStreak: number;
  readonly lastOkAt: Date | null;
}

export type Outcome = "data" | "empty" | "unanswered";

/** A series is given up after the given number of consecutive empty responses. */
export function afterResponse(
  known: Coverage | undefined,
  outcome: Outcome,
  { emptyRuns, now }: { readonly emptyRuns: number; readonly now: Date },
): Coverage {
  switch (outcome) {
    case "data":
      return { advertised: true, emptyStreak: 0, lastOkAt: now };
    case "empty": {
      const emptyStreak = (known?.emptyStreak ?? 0) + 1;
      const advertised = known?.advertised === true && emptyStreak < emptyRuns;
      return { advertised, emptyStreak, lastOkAt: known?.lastOkAt ?? null };
    }
    case "unanswered":
      return known ?? { advertised: true, emptyStreak: 0, lastOkAt: null };
  }
}

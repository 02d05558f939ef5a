/** What is known of one series of a source: whether it has it, by its answers so far. */
export interface Coverage {
  /** The source has the series, or has not said yet that it has not. */
  readonly advertised: boolean;
  /** Answers without data since the last one with some. */
  readonly emptyStreak: number;
  /** When it last came with data. */
  readonly lastOkAt: Date | null;
}

/** What a source answered for one series: with data, without any, or not at all. */
export type Outcome = "data" | "empty" | "unanswered";

/** What is known after an answer; a series is given up after so many empty ones on end. */
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

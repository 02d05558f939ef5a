/** A line of a chart. A point without a value is a gap. */
export interface ChartLine {
  readonly key: string;
  readonly label: string;
  /** Set if it differs from the unit of the chart. */
  readonly unit?: string;
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  readonly at: number;
  readonly value: number | undefined;
  /** Whether the point is not comparable with the one before, because of another methodology or other sources. */
  readonly isBreak: boolean;
  /** Whether the interval of the point is not over yet. */
  readonly isPartial?: boolean;
}

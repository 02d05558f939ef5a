/** A line of a chart; a point without a value is a gap. */
export interface ChartLine {
  readonly key: string;
  readonly label: string;
  /** Where it has another one than the chart. */
  readonly unit?: string;
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  readonly at: number;
  readonly value: number | undefined;
  /** Not comparable with the one before: another methodology, or other sources. */
  readonly isBreak: boolean;
  /** Its interval is not over. */
  readonly isPartial?: boolean;
}

import type { DescMethod } from "@bufbuild/protobuf";
import type { Transaction } from "../../store/tables.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { Requested, SourceTerms } from "../source.ts";

export interface Series {
  readonly id: string;
  readonly title: string;
  /** The UCUM unit or the ISO 4217 currency. Empty for a pure number. */
  readonly unit: string;
  readonly scale: number;
  /** Minimum and maximum value, if the contract defines them. */
  readonly range?: readonly [number, number];
  /** Whether a value counts the events of its month or other interval, so that values can be summed. */
  readonly isCount?: boolean;
  readonly keyParts: readonly string[];
  /** The values that the first part of a series key can have, if the program defines them. */
  readonly keys?: readonly string[];
  /** The key of the European Union, if its value applies to all members and these have no values of their own. */
  readonly unionKey?: string;
  readonly step: Step;
  /** The operation that returns the current value. A caller needs access to it to read the series. */
  readonly shownBy: DescMethod;
  /** The sources from which the series comes. The default is all sources of the dataset. */
  readonly sources?: readonly string[];
  /** Version of the methodology. Empty if the source publishes the value. */
  readonly methodology: string;
  /**
   * The series of the contributions that make up the values of this series. Its keys are those of this series with the
   * name of the contribution as another part. Each refresh stores points of both.
   */
  readonly components?: Series;
}

/** A measured value. An unknown value is not a point. */
export interface SeriesPoint {
  readonly series: Series;
  /** The key, such as a country, whose parts are separated by `/`. */
  readonly key: string;
  readonly at: Date;
  readonly value: number;
  /** Inputs that were missing when the value was computed. Values with different missing inputs are not comparable. */
  readonly missing?: readonly string[];
}

export interface DatasetSeries {
  readonly series: readonly Series[];
  /** If set, a key that had a value in an earlier refresh and has none now gets the value 0. */
  readonly absentIsZero?: true;
  readonly read: (transaction: Transaction, now: Date) => Promise<readonly SeriesPoint[]>;
  /** Reads points from before the first refresh. Absent if the source has none or always returns all points. */
  readonly backfill?: Backfill;
}

export interface Backfill {
  readonly source: SourceTerms & Requested;
  /** The first day with data, YYYY-MM-DD. */
  readonly begins: string;
  /** Reads the points of the days from `from` to `to`, both included. Points of other days are ignored. */
  readonly read: (
    upstream: Upstream,
    span: { readonly from: string; readonly to: string },
  ) => Promise<readonly SeriesPoint[]>;
}

/** Time between the points of a series: the interval at which the source publishes values, or that of refreshes. */
export type Step = "refresh" | "day" | "week" | "month" | "quarter" | "year";

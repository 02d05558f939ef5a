import type { DescMethod } from "@bufbuild/protobuf";
import type { Transaction } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { Requested, SourceTerms } from "../source.ts";

/** A figure over time, by key. */
export interface Series {
  readonly id: string;
  readonly title: string;
  /** UCUM or ISO 4217; empty: a pure number. */
  readonly unit: string;
  readonly scale: number;
  /** Its least and greatest value, where the contract says them. */
  readonly range?: readonly [number, number];
  /** Whether its values count what happened in each step, so that they can be added up. */
  readonly isCount?: boolean;
  /** What its keys are made of. */
  readonly keyParts: readonly string[];
  /** All first parts that its keys can have, where the program fixes them. */
  readonly keys?: readonly string[];
  readonly step: Step;
  /** The read that tells the current figure: its access rules hold. */
  readonly shownBy: DescMethod;
  /** Those of the dataset's sources that it is from; all when absent. */
  readonly sources?: readonly string[];
  /** Version of the methodology, where the figure is computed here. */
  readonly methodology: string;
}

/** A measured figure; one that is unknown is no point. */
export interface SeriesPoint {
  readonly series: Series;
  /** Its parts, separated by `/`. */
  readonly key: string;
  readonly at: Date;
  readonly value: number;
  /** Inputs that were missing when the value was computed: values with other inputs are not compared. */
  readonly missing?: readonly string[];
}

/** The series of a dataset, and the points that a refresh brings. */
export interface DatasetSeries {
  readonly series: readonly Series[];
  /** Keys that had a value earlier and have none now count 0 on the days that are read. */
  readonly absentIsZero?: true;
  readonly read: (transaction: Transaction<StoreTables>, now: Date) => Promise<readonly SeriesPoint[]>;
  /** How its source is asked for what they were before; absent where it does not tell, or tells with every refresh. */
  readonly backfill?: Backfill;
}

/** How a source is asked for earlier points. */
export interface Backfill {
  readonly source: SourceTerms & Requested;
  /** The first day of which it tells, YYYY-MM-DD. */
  readonly begins: string;
  /** Both days are included; points of other days are left out. */
  readonly read: (
    upstream: Upstream,
    span: { readonly from: string; readonly to: string },
  ) => Promise<readonly SeriesPoint[]>;
}

/** Time between the points of a series: its source's, or that between the refreshes of its dataset. */
export type Step = "refresh" | "day" | "week" | "month" | "quarter" | "year";

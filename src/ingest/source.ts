import type { DescMethod } from "@bufbuild/protobuf";
import type { SettingName } from "../config/settings.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** What may be done with a source's data; shown by health, doctor and the documentation. */
export interface Licence {
  readonly kind: "open" | "attribution" | "non-commercial" | "restricted";
  /** Name of the terms and whom to name, such as `CC BY 4.0, UCDP`. */
  readonly terms: string;
}

/** How a source came out of a refresh: `paced` was left alone, so that it is not asked too often. */
export type SourceState = "ok" | "failed" | "refused" | "paced";

/** One upstream of a dataset. */
export interface Source<Row> {
  /** Lower-case key; also the folder of its sample answers. */
  readonly name: string;
  readonly licence: Licence;
  /** A list or table of this program: real whatever the mode, and always there, so that it tells nothing of how old the rest is. */
  readonly own?: true;
  /** Environment variable that, when `on`, lets a restricted source run live; `IDS_SOURCE_` and its name when absent. */
  readonly permission?: string;
  /** Environment variables without which it cannot run live. */
  readonly variables: readonly string[];
  /** Environment variables that it uses where they are set. */
  readonly optionalVariables?: readonly string[];
  /** A live answer with fewer rows is refused, unless empty is a healthy answer. */
  readonly rows: { readonly atLeast: number; readonly mayBeEmpty: boolean };
  /** Asks the upstream for everything one refresh needs: all pages, as plain data. */
  readonly fetch: (upstream: Upstream) => Promise<unknown>;
  /** Pure: bad rows are rejected and named, a changed format throws. */
  readonly parse: (answer: unknown, now: Date) => Parsed<Row>;
  /** Live, it is not asked again sooner than this after it was asked last: for an upstream with a small quota. */
  readonly minutesApart?: number;
  /** The same after an answer that brought nothing, where waiting so long would leave its rows old. */
  readonly minutesAfterFailure?: number;
  /** The moment a row tells of, Unix epoch milliseconds; for rows that have one. */
  readonly observedAt?: (row: Row) => number;
  /** For a source whose window is shorter than our history: earlier rows that a new answer no longer tells of stay. */
  readonly remember?: { readonly key: (row: Row) => string; readonly keeps: (row: Row, now: Date) => boolean };
}

/** On what terms a source is asked, and what that needs. */
export interface SourceTerms
  extends Pick<Source<unknown>, "name" | "permission" | "variables" | "optionalVariables" | "licence"> {
  /** The setting that chooses it among others, by its name. */
  readonly chosenBy?: SettingName;
}

/** What is known of a source without its rows. */
export type SourceFacts = SourceTerms & Pick<Source<unknown>, "rows" | "own" | "minutesApart">;

/** A source that an operation asks while a caller waits. */
export interface LiveSource extends SourceTerms {
  readonly serves: readonly [DescMethod, ...DescMethod[]];
}

/** The rows of one answer. */
export interface Parsed<Row> {
  readonly rows: readonly Row[];
  readonly rejected: readonly Rejection[];
  /** The answer holds everything the source lists: what it does not name any more has vanished. */
  readonly complete?: boolean;
}

/** A row of the upstream that was left out. */
export interface Rejection {
  /** The upstream's id of the row, or its place in the answer. */
  readonly row: string;
  readonly reason: string;
}

import type { DescMethod } from "@bufbuild/protobuf";
import type { SettingName } from "../config/settings.ts";
import type { UpstreamError } from "../errors.ts";
import type { Pace } from "../upstream/hosts.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** What may be done with a source's data; shown by the catalog, doctor and the documentation. */
export interface License {
  readonly kind: "open" | "attribution" | "non-commercial" | "restricted";
  /** Name of the terms and whom to name, such as `CC BY 4.0, UCDP`. */
  readonly terms: string;
}

/** What it takes to ask a source live, for whoever runs the service. */
export interface SourceAccess {
  /** Where a key, an account or a licence is applied for. */
  readonly signUp: string;
  /** About how long that takes until there is a key; absent where others decide. */
  readonly minutes?: number;
  readonly cost: string;
  /** What may be asked of it, in words. */
  readonly quota: string;
  /** Where its terms stand. */
  readonly terms: string;
  /** What a 403 or 429 of it mostly means, and what helps. */
  readonly rejection?: string;
}

/** A source that needs a variable or a permission says where that is to be had; any may say what its refusals mean. */
type Needs =
  | {
      /** Environment variables without which it cannot run live. */
      readonly variables: readonly [];
      readonly license: License & { readonly kind: Exclude<License["kind"], "restricted"> };
      readonly access?: Partial<SourceAccess>;
    }
  | {
      readonly variables: readonly string[];
      readonly license: License;
      readonly access: SourceAccess;
    };

/** How many requests a source may be sent in a UTC day. */
export interface DailyBudget {
  /** Those that share it, such as all that ask with one key. */
  readonly of: string;
  readonly max: number;
  /** With this variable set, more. */
  readonly withKey?: { readonly variable: string; readonly max: number };
  /** Variable that holds another number. */
  readonly setBy?: string;
}

/** How a source came out of a refresh: `partial` brought some of its parts, `paced` was left alone, so that it is not asked too often. */
export type SourceState = "ok" | "partial" | "failed" | "refused" | "paced";

/** One upstream of a dataset. */
export type Source<Row> = SourceParts<Row> & Needs;

interface SourceParts<Row> {
  /** Lower-case key; also the folder of its sample answers. */
  readonly name: string;
  /** A list or table of this program: real whatever the mode, and always there, so that it tells nothing of how old the rest is. */
  readonly own?: true;
  /** Environment variable that, when `on`, lets a restricted source run live; `IDS_SOURCE_` and its name when absent. */
  readonly permission?: string;
  /** Environment variables that it uses where they are set. */
  readonly optionalVariables?: readonly string[];
  /** The first live answer is refused with fewer rows, a later one with less than half of the last good one's, unless empty is healthy. */
  readonly rows: { readonly atLeast: number; readonly mayBeEmpty: boolean };
  /** Asks the upstream for everything one refresh needs: all pages, as plain data. */
  readonly fetch: (upstream: Upstream) => Promise<unknown>;
  /** Pure: bad rows are rejected and named, a changed format throws. */
  readonly parse: (response: unknown, now: Date) => Parsed<Row>;
  /** How its hosts want to be asked; as any other when absent. */
  readonly pace?: Pace;
  readonly requestsADay?: DailyBudget;
  /** Live, it is not asked again sooner than this after it was asked last: for an upstream with a small quota. */
  readonly minutesApart?: number;
  /** The same after an answer that brought nothing, where waiting so long would leave its rows old. */
  readonly minutesAfterFailure?: number;
  /** The part that a row is of, such as its series: the last good rows of a part that does not come stay. */
  readonly partOf?: (row: Row) => string;
  /** Parts whose own terms do not permit to pass them on, such as a series. */
  readonly restrictedParts?: readonly string[];
  /** The moment a row tells of, Unix epoch milliseconds; for rows that have one. */
  readonly observedAt?: (row: Row) => number;
  /** Its rows are figures of years, dated to the end of theirs, which may be to come. */
  readonly reportsYears?: true;
  /**
   * The coverage of a complete response: all open items, those of a number of days up to now, or the releases that it names.
   * Earlier rows within it that the response no longer contains are removed. Absent for a selection, such as a feed.
   */
  readonly covers?: "all open items" | "its releases" | { readonly days: number };
  /** For a source whose window is shorter than our history: earlier rows that a new response does not cover stay. */
  readonly remember?: {
    readonly key: (row: Row) => string;
    readonly retains: (row: Row, now: Date) => boolean;
    /** The ID by which `parse` rejects the row, if that is not its key: it stays if its latest edition was rejected. */
    readonly upstreamId?: (row: Row) => string;
  };
}

/** On what terms a source is asked, and what that needs. */
export type SourceTerms = Needs &
  Pick<SourceParts<never>, "name" | "permission" | "optionalVariables" | "pace" | "requestsADay"> & {
    /** The setting that chooses it among others, by its name. */
    readonly chosenBy?: SettingName;
  };

/** A source as far as the way to its upstream goes. */
export type Requested = Pick<SourceParts<never>, "name" | "pace" | "requestsADay">;

/** What is known of a source without its rows. */
export type SourceMetadata = SourceTerms &
  Pick<
    SourceParts<never>,
    "rows" | "own" | "minutesApart" | "partOf" | "remember" | "restrictedParts" | "fetch" | "covers"
  >;

/** A source that an operation asks while a caller waits. */
export type LiveSource = SourceTerms & {
  readonly serves: readonly [DescMethod, ...DescMethod[]];
  /** Without it the program answers from tables of its own. */
  readonly inPlaceOfOwn?: true;
};

/** The rows of one answer. */
export interface Parsed<Row> {
  readonly rows: readonly Row[];
  readonly rejected: readonly Rejection[];
  /** Parts that were asked for and did not come; what came of the others is good. */
  readonly missing?: readonly MissingPart[];
  /** How many rows the source says it has, where it tells. */
  readonly available?: number;
  /** The response holds everything that the source `covers`: no page is missing, and no cap was reached. */
  readonly complete?: boolean;
  /** The spans of the releases that a complete response names. */
  readonly covered?: readonly Span[];
}

/** A span of time in epoch milliseconds, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A part of a source that did not come. */
export interface MissingPart {
  /** Such as a series or a country. */
  readonly part: string;
  readonly reason: string;
  /** HTTP status, where there was one. */
  readonly status?: number | undefined;
  /** What happened, where the status does not tell. */
  readonly kind?: UpstreamError["kind"];
}

/** A row of the upstream that was left out. */
export interface Rejection {
  /** The upstream's id of the row, or its place in the answer. */
  readonly row: string;
  readonly reason: string;
}

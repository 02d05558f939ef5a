import type { DescMethod } from "@bufbuild/protobuf";
import type { z } from "zod";
import type { SettingName } from "../config/settings.ts";
import { UpstreamError } from "../egress/upstream-error.ts";
import type { Pace } from "../upstream/hosts.ts";
import type { Upstream } from "../upstream/upstream.ts";

export interface License {
  readonly kind: "open" | "attribution" | "non-commercial" | "restricted";
  /** Name of the terms and the required credit, such as `CC BY 4.0, UCDP`. */
  readonly terms: string;
}

export interface SourceAccess {
  readonly signUp: string;
  /** About how long it takes to get a key. Absent if others decide. */
  readonly minutes?: number;
  readonly cost: string;
  readonly quota: string;
  readonly terms: string;
  /** The usual cause of a 403 or 429, and the remedy. */
  readonly rejection?: string;
}

/** A source that needs a variable or a permission says how to obtain it. Any source may explain its rejections. */
type Needs =
  | {
      readonly variables: readonly [];
      readonly license: License & { readonly kind: Exclude<License["kind"], "restricted"> };
      readonly access?: Partial<SourceAccess>;
    }
  | {
      readonly variables: readonly string[];
      readonly license: License;
      readonly access: SourceAccess;
    };

export interface DailyBudget {
  /** The name of the budget, which sources with the same key share. */
  readonly of: string;
  readonly max: number;
  /** A higher maximum, if this variable is set. */
  readonly withKey?: { readonly variable: string; readonly max: number };
  readonly setBy?: string;
}

/**
 * The result of a source in a refresh. `partial`: some of its parts are missing. `paced`: no request was sent, because
 * the minimum time between requests has not passed.
 */
export type SourceState = "ok" | "partial" | "failed" | "refused" | "paced";

export type Source<Row> = SourceParts<Row> & Needs;

interface SourceParts<Row> {
  /** Lower-case key, and the folder of its sample responses. */
  readonly name: string;
  /** It is real in every mode and always present, so it does not count for the age of a dataset. */
  readonly own?: true;
  /** It enables a restricted source in live mode with `on`. The default is `IDS_SOURCE_` and its name. */
  readonly permission?: string;
  readonly optionalVariables?: readonly string[];
  /**
   * Minimum number of rows in the first live response. A later response needs half of the last good one's rows, unless
   * an empty response is valid.
   */
  readonly rows: { readonly atLeast: number; readonly mayBeEmpty: boolean };
  /** Requests all data for one refresh, including all pages, and returns plain data. */
  readonly fetch: (upstream: Upstream) => Promise<unknown>;
  /** Parses the data as a pure function. It rejects and names bad rows, and throws if the schema changed. */
  readonly parse: (response: unknown, now: Date) => Parsed<Row>;
  /** The rate limits of its hosts, if they differ from the default. */
  readonly pace?: Pace;
  readonly requestsADay?: DailyBudget;
  /** Minimum minutes between live requests, for an upstream with a small quota. */
  readonly minutesApart?: number;
  /** Minimum minutes after a failure, if the usual interval would leave its rows old. */
  readonly minutesAfterFailure?: number;
  /** Returns the part that a row belongs to, such as its series. The last good rows of a missing part remain. */
  readonly partOf?: (row: Row) => string;
  /** Parts whose own terms do not permit redistribution, such as a series. */
  readonly withheldParts?: readonly string[];
  /** Returns the time of a row, Unix epoch milliseconds, for rows that have one. */
  readonly observedAt?: (row: Row) => number;
  /** Set if its rows are values of years. They are dated to the end of the year, which may be in the future. */
  readonly reportsYears?: true;
  /**
   * The coverage of a complete response: all open items, those of a number of days up to now, or the releases that it
   * names. Earlier rows within it that the response no longer contains are removed. Absent for a selection, such as a
   * feed.
   */
  readonly covers?: "all open items" | "its releases" | { readonly days: number };
  /** For a source whose window is shorter than our history. Earlier rows that a new response does not cover remain. */
  readonly remember?: {
    readonly key: (row: Row) => string;
    readonly retains: (row: Row, now: Date) => boolean;
    /** If the latest edition of a row with this ID was rejected, the earlier row remains. */
    readonly upstreamId?: (row: Row) => string;
  };
}

export type SourceTerms = Needs &
  Pick<SourceParts<never>, "name" | "permission" | "optionalVariables" | "pace" | "requestsADay"> & {
    readonly chosenBy?: SettingName;
  };

export type Requested = Pick<SourceParts<never>, "name" | "pace" | "requestsADay">;

export type SourceMetadata = SourceTerms &
  Pick<
    SourceParts<never>,
    "rows" | "own" | "minutesApart" | "partOf" | "remember" | "withheldParts" | "fetch" | "covers"
  >;

export type LiveSource = SourceTerms & {
  readonly serves: readonly [DescMethod, ...DescMethod[]];
  /** Set if tables of this program replace it when it is not configured. */
  readonly inPlaceOfOwn?: true;
};

export interface Parsed<Row> {
  readonly rows: readonly Row[];
  readonly rejected: readonly Rejection[];
  /** Requested parts that are missing. The others are good. */
  readonly missing?: readonly MissingPart[];
  readonly available?: number;
  /** The response holds everything that the source `covers`: no page is missing, and no cap was reached. */
  readonly complete?: boolean;
  readonly covered?: readonly Span[];
}

/** A span of time in epoch milliseconds, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface MissingPart {
  readonly part: string;
  readonly reason: string;
  readonly status?: number | undefined;
  /** The kind of failure, if the status does not say it. */
  readonly kind?: UpstreamError["kind"];
}

export interface Rejection {
  /** The upstream's ID of the row, or its position in the response. */
  readonly row: string;
  readonly reason: string;
}

export function rejection(row: string, { issues }: z.ZodError): Rejection {
  return { row, reason: issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
}

/** Returns a response in the format of the schema. Throws `UpstreamError` for another format. */
export function readAs<T extends z.ZodType>(who: string, schema: T, response: unknown): z.output<T> {
  const read = schema.safeParse(response);
  if (!read.success) throw new UpstreamError(`${who}: ${rejection("", read.error).reason}`);
  return read.data;
}

/** Returns a row in the format of the schema. Otherwise it adds a rejection and returns undefined. */
export function readRow<T extends z.ZodType>(
  schema: T,
  value: unknown,
  row: string,
  rejected: Rejection[],
): z.output<T> | undefined {
  const read = schema.safeParse(value);
  if (!read.success) rejected.push(rejection(row, read.error));
  return read.data;
}

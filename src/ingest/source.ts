import type { DescMethod } from "@bufbuild/protobuf";
import type { z } from "zod";
import type { SettingName } from "../config/settings.ts";
import { UpstreamError } from "../egress/upstream-error.ts";
import type { Pace } from "../upstream/hosts.ts";
import type { Upstream } from "../upstream/upstream.ts";

export interface License {
  readonly kind: "open" | "attribution" | "non-commercial" | "restricted";
  /** Short name of the organization that publishes the source, such as `IMF`. */
  readonly publisher: string;
  /** Name of the terms and the credit that they require, such as `CC BY 4.0, UCDP`. */
  readonly terms: string;
}

export interface SourceAccess {
  readonly signUp: string;
  /** Minutes that it usually takes to get a key. Absent if a person has to approve the request. */
  readonly minutes?: number;
  readonly cost: string;
  readonly quota: string;
  readonly terms: string;
  /** The usual cause of a status 403 or 429, and what the operator can do. */
  readonly rejection?: string;
}

/** A source that needs a variable or permission must say how to obtain it. For other sources, `access` is optional. */
type Needs =
  | {
      readonly variables?: readonly [];
      readonly license: License & { readonly kind: Exclude<License["kind"], "restricted"> };
      readonly access?: Partial<SourceAccess>;
    }
  | {
      readonly variables?: readonly string[];
      readonly license: License;
      readonly access: SourceAccess;
    };

export interface DailyBudget {
  /** The name of the daily budget. Sources that use the same key have the same name here. */
  readonly of: string;
  readonly max: number;
  /** A higher maximum, which applies if the operator has set this variable. */
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
  /** Lower-case name of the source and of the folder with its sample responses. */
  readonly name: string;
  /** Set for a list of this project. It is valid in every mode, and its age does not count in the age of a dataset. */
  readonly own?: true;
  /** The variable that must be `on` to enable a restricted source in live mode. The default is `IDS_SOURCE_…`. */
  readonly permission?: string;
  readonly optionalVariables?: readonly string[];
  /**
   * Minimum number of rows in the first live response. A later response needs half as many rows as the last good one,
   * unless an empty response is valid.
   */
  readonly rows: { readonly atLeast: number; readonly mayBeEmpty: boolean };
  /** Requests all data for one refresh, including all pages, and returns plain data. */
  readonly fetch: (upstream: Upstream) => Promise<unknown>;
  /** Parses the responses without side effects. It lists rejected rows, and throws if the schema changed. */
  readonly parse: (response: unknown, now: Date) => Parsed<Row>;
  /** The rate limits of the source's hosts, if they differ from the default. */
  readonly pace?: Pace;
  readonly requestsADay?: DailyBudget;
  /** Minimum minutes between live requests, for an upstream with a small quota. */
  readonly minutesApart?: number;
  /** Minimum minutes before a retry after a failure, if rows would be too old after `minutesApart`. */
  readonly minutesAfterFailure?: number;
  /** Returns the part of the source that contains a row, such as its series. If a part fails, its last rows remain. */
  readonly partOf?: (row: Row) => string;
  /** Parts of the source, such as a series, whose own terms forbid redistribution. */
  readonly withheldParts?: readonly string[];
  /** Returns the time that a row describes in Unix epoch milliseconds. Absent if rows have no time. */
  readonly observedAt?: (row: Row) => number;
  /** Set if rows describe years. The time of a row is the end of its year, so it may be in the future. */
  readonly reportsYears?: true;
  /**
   * Which rows a complete response contains: all open items, all rows of the last days, or all rows of its releases.
   * Stored rows that such a response no longer contains are removed. Absent if the response is a selection, such as a
   * feed.
   */
  readonly covers?: "all open items" | "its releases" | { readonly days: number };
  /** For a source that returns fewer days than the service stores. Stored rows of other days remain. */
  readonly remember?: {
    readonly key: (row: Row) => string;
    readonly retains: (row: Row, now: Date) => boolean;
    /** Returns the upstream's ID of a row. If a newer edition of the row was rejected, the stored row remains. */
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
  /** Set if a table of this program replaces the source while it is not configured. */
  readonly inPlaceOfOwn?: true;
};

export interface Parsed<Row> {
  readonly rows: readonly Row[];
  readonly rejected: readonly Rejection[];
  /** Parts that were requested but are missing. `rows` contains the other parts. */
  readonly missing?: readonly MissingPart[];
  readonly available?: number;
  /** Whether the response contains all rows that `covers` promises: no page is missing, and no limit was reached. */
  readonly complete?: boolean;
  readonly covered?: readonly Span[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface MissingPart {
  readonly part: string;
  readonly reason: string;
  readonly status?: number | undefined;
  /** The kind of failure, if it does not follow from the status. */
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

/** Parses a response with a schema. Throws `UpstreamError` if the response has another format. */
export function readAs<T extends z.ZodType>(who: string, schema: T, response: unknown): z.output<T> {
  const read = schema.safeParse(response);
  if (!read.success) throw new UpstreamError(`${who}: ${rejection("", read.error).reason}`);
  return read.data;
}

/** Parses a row with a schema. If the row has another format, adds a rejection and returns undefined. */
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

/** Parses rows with a schema and yields them. Adds a rejection for each other row, by default with its position. */
export function* readRows<T extends z.ZodType>(
  schema: T,
  values: Iterable<unknown>,
  rejected: Rejection[],
  nameOf = (place: number, _value: unknown) => `#${place}`,
): Generator<z.output<T>> {
  for (const [place, value] of [...values].entries()) {
    const read = schema.safeParse(value);
    if (read.success) yield read.data;
    else rejected.push(rejection(nameOf(place, value), read.error));
  }
}

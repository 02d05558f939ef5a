import { setImmediate as nextTick } from "node:timers/promises";
import { create, type DescMessage, type MessageInitShape, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { validator } from "../../contract/rules/validator.ts";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { dayMs, minuteMs } from "../../reference/duration.ts";
import type { Store } from "../../store/tables.ts";
import { readJson, type Upstream, type UpstreamRequest } from "../../upstream/upstream.ts";
import type { Dataset } from "../dataset.ts";
import { responseValue, type Shape, type ShapeReader, shapeReader } from "../drift/shape.ts";
import { type RecordedResponse, recordResponses } from "../responses/recorder.ts";
import type { MissingPart, Parsed, Rejection, Source, SourceState, Span } from "../source.ts";
import { originOf, type Upstreams } from "../upstreams.ts";
import { type Failure, failureOf, type SourceKey } from "./report.ts";

export interface RefreshParts {
  readonly database: Store;
  readonly upstreams: Upstreams;
  readonly progress?: (step: Progress) => void;
  /** Accepts a response with far fewer rows than the last good one, because the operator has checked it. */
  readonly acceptShrunk?: boolean;
  /** Accepts a response with a changed schema, and stores the rows that the parser can read. */
  readonly acceptChanged?: boolean;
  /** The time at which the new version of the dataset counts as stored. By default, that of the first good response. */
  readonly at?: Date;
  /** After the signal aborts, the refresh must not store data. */
  readonly signal?: AbortSignal;
}

export interface Progress {
  readonly dataset: string;
  readonly source: string;
  readonly step: "asking" | SourceState;
  readonly detail: string;
}

export interface FetchResult<D extends DescMessage> {
  readonly source: Source<MessageInitShape<D>>;
  readonly place: SourceKey;
  readonly at: Date;
  readonly requested: boolean;
  /** The recorded responses from which the rows were parsed. Empty if they are not recorded, and after a failure. */
  readonly responses: readonly RecordedResponse[];
  readonly result: /** The schema of the response is set if it is live and the source is external. */
    | (SourceResponse<D> & { readonly shape: Shape | undefined })
    | { readonly failure: Failure; readonly shape?: Shape | undefined }
    /** No request was sent, because the last request was too recent. */
    | { readonly throttled: string };
}

/** Requests one source. A failure is returned and not thrown, so that the refresh continues with the other sources. */
export async function sendRequest<D extends DescMessage>(
  dataset: Dataset<D>,
  source: Source<MessageInitShape<D>>,
  { upstreams, database }: RefreshParts,
): Promise<FetchResult<D>> {
  const upstream = upstreams.upstreamOf(source);
  const { now: at } = upstream;
  const origin = originOf(dataset, upstreams);
  const place = { dataset: dataset.name, source: source.name, origin };
  const unrequested = { source, place, at, requested: false, responses: [] };
  const missing = upstreams.missingOf(source);
  if (missing.length > 0)
    return { ...unrequested, result: { failure: { kind: "unconfigured", words: `not set: ${missing.join(", ")}` } } };
  const next = origin === "live" ? await nextRequestAt(database, place, source) : undefined;
  if (next && next > at) return { ...unrequested, result: { throttled: `no request before ${next.toISOString()}` } };
  const responded = { ...unrequested, requested: origin === "live" };
  const form = origin === "live" && !source.own ? shapeReader() : undefined;
  const { retained } = upstreams;
  const isRecorded = !source.own && retained !== undefined && at >= retained.since();
  const recorder = isRecorded ? recordResponses(source, upstream, { ...upstreams, at }) : undefined;
  const recorded = recorder?.upstream ?? upstream;
  const observedUpstream = form ? observed(recorded, (exchange) => addResponse(form, exchange)) : recorded;
  try {
    const response = await fetchSource(dataset.row, source, observedUpstream);
    const responses = (await recorder?.responses()) ?? [];
    return { ...responded, responses, result: { ...response, shape: form?.shape() } };
  } catch (error) {
    const requested = responded.requested && !(error instanceof UpstreamError && error.unsent);
    return { ...responded, requested, result: { failure: failureOf(error, upstreams.mask), shape: form?.shape() } };
  }
}

async function nextRequestAt(
  database: RefreshParts["database"],
  { dataset, source }: SourceKey,
  { minutesApart, minutesAfterFailure }: Pick<Source<never>, "minutesApart" | "minutesAfterFailure">,
): Promise<Date | undefined> {
  if (minutesApart === undefined) return undefined;
  const row = await database
    .selectFrom("source")
    .select(["asked_at", "state"])
    .where("dataset", "=", dataset)
    .where("source", "=", source)
    .executeTakeFirst();
  if (!row?.asked_at) return undefined;
  const pause = row.state === "ok" ? minutesApart : (minutesAfterFailure ?? minutesApart);
  return new Date(row.asked_at.getTime() + pause * minuteMs);
}

export interface SourceResponse<D extends DescMessage> {
  readonly rows: readonly MessageShape<D>[];
  readonly rejected: readonly Rejection[];
  /** Time spans for which the response contains every row of the source. */
  readonly covered: readonly Span[];
  readonly missing: readonly MissingPart[];
  readonly available: number | undefined;
}

export async function fetchSource<D extends DescMessage>(
  schema: D,
  source: Source<MessageInitShape<D>>,
  upstream: Upstream,
): Promise<SourceResponse<D>> {
  const response = await source.fetch(upstream);
  // A parse can block the thread, so it starts in a separate tick and waiting requests run before and after it.
  await nextTick();
  const parsed = source.parse(response, upstream.now);
  const { rows, rejected, missing = [], available } = parsed;
  await nextTick();
  const checked = withoutFuture(source, checkRows(schema, rows), upstream.now);
  return {
    rows: checked.rows,
    rejected: [...rejected, ...checked.rejected],
    covered: isComplete(parsed, checked.rejected) ? coveredSpans(source, parsed, upstream) : [],
    missing,
    available,
  };
}

/**
 * Matches escapes of NUL and of half a surrogate pair, which Postgres rejects. An even number of backslashes before an
 * escape makes it plain text.
 */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Checks rows against the rules of their message. Rejects invalid rows, duplicates, and text that cannot be stored. */
export function checkRows<D extends DescMessage>(
  schema: D,
  rows: readonly MessageInitShape<D>[],
): { rows: MessageShape<D>[]; rejected: Rejection[] } {
  const good: MessageShape<D>[] = [];
  const rejected: Rejection[] = [];
  const known = new Set<string>();
  rows.forEach((init, index) => {
    const row = create(schema, init);
    const result = validator.validate(schema, row);
    if (result.kind === "error") throw result.error;
    const reason = result.kind === "valid" ? reasonAgainst(schema, row, known) : result.error.message;
    if (reason === undefined) good.push(row);
    else rejected.push({ row: nameOf(row, index), reason });
  });
  return { rows: good, rejected };
}

function reasonAgainst<D extends DescMessage>(schema: D, row: MessageShape<D>, known: Set<string>): string | undefined {
  try {
    const text = toJsonString(schema, row);
    if (unstorable.test(text)) return "a text that cannot be stored";
    return known.size === known.add(text).size ? "the same row again" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns how a rejection names a row: by its ID, or by its position if the row has no ID. */
export function nameOf(row: object, index: number): string {
  return "id" in row && typeof row.id === "string" && row.id !== "" ? row.id : `#${index}`;
}

export function asGiven<D extends DescMessage>(row: MessageShape<D>): MessageInitShape<D> {
  return row as MessageInitShape<D>;
}

/**
 * Rows that are dated more than this number of days ahead are rejected. The margin allows for inaccurate clocks, time
 * zones, and days that begin early.
 */
const daysAhead = 2;

function withoutFuture<D extends DescMessage>(
  { observedAt, reportsYears, own }: Source<MessageInitShape<D>>,
  { rows, rejected }: ReturnType<typeof checkRows<D>>,
  now: Date,
): ReturnType<typeof checkRows<D>> {
  // Lists of this project may contain announced events, so their rows may be dated in the future.
  if (!observedAt || own) return { rows, rejected };
  const last = reportsYears ? Date.UTC(now.getUTCFullYear() + 1, 0) - 1 : now.getTime() + daysAhead * dayMs;
  const reason = reportsYears ? "of a year that has not begun" : `a moment more than ${daysAhead} days ahead`;
  const isAhead = (row: MessageShape<D>) => observedAt(asGiven<D>(row)) > last;
  const ahead = rows.flatMap((row, index) => (isAhead(row) ? [{ row: nameOf(row, index), reason }] : []));
  return ahead.length === 0
    ? { rows, rejected }
    : { rows: rows.filter((row) => !isAhead(row)), rejected: [...rejected, ...ahead] };
}

/** Returns whether a response contains all rows, so that a missing row must have been withdrawn. */
function isComplete<Row>({ complete, rows, missing = [] }: Parsed<Row>, unfit: readonly Rejection[]): boolean {
  // A rejected row without an ID could belong to any stored row, so no stored row may count as withdrawn.
  const isNamed = unfit.every(({ row }) => !row.startsWith("#"));
  return complete === true && rows.length > 0 && missing.length === 0 && isNamed;
}

function coveredSpans<Row>(
  { covers }: Pick<Source<Row>, "covers">,
  { covered = [] }: Parsed<Row>,
  { now, origin }: Pick<Upstream, "now" | "origin">,
): readonly Span[] {
  if (covers === undefined) return [];
  if (covers === "its releases") return covered;
  const isOpenList = covers === "all open items";
  // The dates in samples are shifted by whole weeks, so a sample covers up to a week more.
  const days = isOpenList ? 0 : covers.days + (origin === "sample" ? 7 : 0);
  const from = isOpenList ? Number.MIN_SAFE_INTEGER : now.getTime() - days * dayMs;
  return [{ from, to: Number.MAX_SAFE_INTEGER }];
}

export interface UpstreamExchange {
  readonly request: UpstreamRequest;
  readonly milliseconds: number;
  /** The body of the response. Absent if the request failed. */
  readonly text?: string;
  /** The parsed body, if the request accepted JSON and the body is JSON. */
  readonly value?: unknown;
  readonly failure?: UpstreamError;
}

export function observed(upstream: Upstream, see: (exchange: UpstreamExchange) => void): Upstream {
  const body = async (request: UpstreamRequest) => {
    const began = performance.now();
    const spent = () => performance.now() - began;
    try {
      const text = await upstream.text(request);
      return { request, milliseconds: spent(), text };
    } catch (failure) {
      if (failure instanceof UpstreamError) see({ request, milliseconds: spent(), failure });
      throw failure;
    }
  };
  return {
    ...upstream,
    get now() {
      return upstream.now;
    },
    async text(request) {
      const exchange = await body(request);
      see(exchange);
      return exchange.text;
    },
    async json(request) {
      const exchange = await body({ accept: "application/json", ...request });
      let value: unknown;
      try {
        value = readJson(request, exchange.text);
      } finally {
        see({ ...exchange, value });
      }
      return value;
    },
  };
}

export function addResponse(form: ShapeReader, { text, value }: UpstreamExchange): void {
  if (text !== undefined) form.add(value ?? responseValue(text));
}

import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { UpstreamError } from "../../errors.ts";
import { minuteMs } from "../../reference/duration.ts";
import { servableMinutes } from "../../store/served/dataset-age.ts";
import { sampleUpstream } from "../../upstream/sample/sample.ts";
import type { Dataset, LastGoodResponse } from "../dataset.ts";
import { type Drift, laterShape } from "../drift/drift.ts";
import { type ResponseDrift, responseDrift } from "../drift/response-drift.ts";
import { driftInWords, unreported } from "../drift/seen-drift.ts";
import { type Shape, shapeReader } from "../drift/shape.ts";
import { asGiven } from "../row-check.ts";
import type { Rejection, Source, SourceMetadata, SourceState } from "../source.ts";
import { originOf } from "../upstreams.ts";
import { type Failure, failureOf } from "./failure.ts";
import {
  type LastGood,
  type LastResponses,
  lastGood,
  type Outcome,
  readLastResponses,
  recordFailure,
  recordSuccess,
  type SourceKey,
  type UsableResponse,
} from "./last-good-rows.ts";
import { fillMissing, missingInWords } from "./missing-parts.ts";
import { addResponse, observed } from "./observed-upstream.ts";
import { type OlderResponse, olderResponse } from "./older-response.ts";
import type { RefreshParts } from "./refresh-parts.ts";
import { fetchSource, type SourceResponse } from "./source-response.ts";
import { noneGood, tooFew } from "./too-small.ts";

/** What one source answered in a refresh. */
export interface FetchResult<D extends DescMessage> {
  readonly source: Source<MessageInitShape<D>>;
  readonly place: SourceKey;
  readonly at: Date;
  /** A request was sent out. */
  readonly requested: boolean;
  readonly result: /** With the form of a live answer. */
    | (SourceResponse<D> & { readonly shape: Shape | undefined })
    | { readonly failure: Failure; readonly shape?: Shape | undefined }
    /** It was not asked: that would have been too soon. */
    | { readonly throttled: string };
}

/** What becomes of an answer, given the last good one. */
export interface SourceResult<D extends DescMessage> {
  readonly answer: FetchResult<D>;
  readonly state: SourceState;
  readonly detail: string;
  readonly rejected: readonly Rejection[];
  /** How its form differs from the last good one's, as far as that was not told yet. */
  readonly drift: readonly Drift[];
  /** Rows that are good now: this answer's, or the ones of before when it is no good. */
  readonly good: readonly MessageShape<D>[] | undefined;
  readonly stored: LastGoodResponse | undefined;
  /** Undefined where the source was not asked. */
  readonly note: Outcome | undefined;
}

/** One with less than this share tells of it. */
const mentionedFrom = 0.9;
const maxMs = 8.64e15;

/** Asks a source and checks its rows. Whatever it throws is its own failure: the other sources go on. */
export async function sendRequest<D extends DescMessage>(
  dataset: Dataset<D>,
  source: Source<MessageInitShape<D>>,
  { upstreams, database }: RefreshParts,
): Promise<FetchResult<D>> {
  const upstream = upstreams.upstreamOf(source);
  const { now: at } = upstream;
  const origin = originOf(dataset, upstreams);
  const place = { dataset: dataset.name, source: source.name, origin };
  const unasked = { source, place, at, requested: false };
  const missing = upstreams.missingOf(source);
  if (missing.length > 0)
    return { ...unasked, result: { failure: { kind: "unconfigured", words: `not set: ${missing.join(", ")}` } } };
  const next = origin === "live" ? await askableFrom(database, place, source) : undefined;
  if (next && next > at) return { ...unasked, result: { throttled: `not asked before ${next.toISOString()}` } };
  const responded = { ...unasked, requested: origin === "live" };
  const form = origin === "live" && !source.own ? shapeReader() : undefined;
  const looked = form ? observed(upstream, (exchange) => addResponse(form, exchange)) : upstream;
  try {
    const response = await fetchSource(dataset.row, source, looked);
    return { ...responded, result: { ...response, shape: form?.shape() } };
  } catch (error) {
    const requested = responded.requested && !(error instanceof UpstreamError && error.unsent);
    return { ...responded, requested, result: { failure: failureOf(error, upstreams.mask), shape: form?.shape() } };
  }
}

/** When a source that may be asked rarely may be asked again. */
async function askableFrom(
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

/** Reads what the sources' last good answers left, all at once when the first of them is evaluated. */
export function lastResponses<D extends DescMessage>(
  dataset: Dataset<D>,
  { database, upstreams }: RefreshParts,
): () => Promise<LastResponses> {
  let read: Promise<LastResponses> | undefined;
  return () => {
    read ??= readLastResponses(database, { dataset: dataset.name, origin: originOf(dataset, upstreams) });
    return read;
  };
}

/** Holds an answer against the source's last good one. */
export async function evaluate<D extends DescMessage>(
  dataset: Dataset<D>,
  response: FetchResult<D>,
  parts: RefreshParts,
  last: () => Promise<LastResponses>,
): Promise<SourceResult<D>> {
  const { row: schema, rowsInTable } = dataset;
  const { source, place, at, requested, result } = response;
  const previous = await lastGood(schema, (await last()).get(source.name));
  const before = {
    good: previous?.rows,
    stored: previous && { fetchedAt: previous.fetchedAt, fresh: false, covered: [], rejected: [] },
  };
  if ("throttled" in result)
    return {
      answer: response,
      state: "paced",
      detail: result.throttled,
      rejected: [],
      drift: [],
      ...before,
      note: undefined,
    };
  let drift = await driftOf(response, previous);
  const bad = (state: "failed" | "refused", failure: Failure, rejected: readonly Rejection[]) => {
    const note = recordFailure(place, { state, failure, at, requested, drift });
    return { answer: response, state, detail: failure.words, rejected, drift: drift?.found ?? [], ...before, note };
  };
  if ("failure" in result) return bad("failed", withDrift(result.failure, drift), []);
  const { rejected, covered, available, shape } = result;
  if (drift && drift.grave.length > 0 && !parts.acceptChanged)
    return bad("refused", { kind: "changed", words: driftInWords(drift.grave) }, rejected);
  const limits = { servableMs: servableMinutes(dataset) * minuteMs, mask: parts.upstreams.mask };
  const { rows, stored: storedRows, readAt, partial } = fillMissing<D>(source, { ...result, at }, previous, limits);
  const reason =
    noneGood(result.rows.length, rejected) ??
    reasonToReject(source, result.rows.length === 0 ? 0 : rows.length, previous?.responded ?? 0, parts);
  if (reason !== undefined) return bad("refused", { kind: "too small", words: reason }, rejected);
  const good = withRemembered(source, rows, previous?.rows ?? [], { at, covered, rejected });
  const older = olderThan(response, good, previous);
  if (older) drift = withOlder(drift, older, previous);
  if (older?.rejection !== undefined && !parts.acceptShrunk)
    return bad("refused", { kind: "too old", words: older.rejection }, rejected);
  const note = await recordSuccess(schema, place, {
    at,
    requested,
    rowsIn: rows.length + rejected.length,
    rejected: rejected.length,
    good,
    retainRows: !rowsInTable,
    observed: observedRange(source, good),
    readAt,
    partial,
    available,
    shape: shape && laterShape(previous?.shape, shape),
    drift,
  });
  const stored = { fetchedAt: readAt, fresh: true, covered, rejected: rejected.map(({ row }) => row) };
  const held = available === undefined ? "" : ` of ${available}`;
  const changes = drift && drift.found.length > 0 ? `; ${driftInWords(drift.found)}` : "";
  const fewer = previous && good.length < previous.responded * mentionedFrom ? `, before ${previous.responded}` : "";
  const gap = partial ? `, ${storedRows} of them kept, ${missingInWords(partial)}` : "";
  return {
    answer: response,
    state: partial ? "partial" : "ok",
    detail: `${good.length} rows${held}, ${rejected.length} rejected${fewer}${gap}${changes}`,
    rejected,
    drift: drift?.found ?? [],
    good,
    stored,
    note,
  };
}

/** An answer that cannot be read is held against the last good one too: that is where somebody will look first. */
async function driftOf<D extends DescMessage>(
  { source, result, at }: FetchResult<D>,
  previous: LastGood<D> | undefined,
): Promise<ResponseDrift | undefined> {
  if (!("shape" in result) || !result.shape || !previous?.shape) return undefined;
  const isRead = !("failure" in result);
  if (!isRead && result.failure.kind !== "malformed") return undefined;
  const isWhole = isRead && result.missing.length === 0;
  const before = { shape: previous.shape, drift: previous.drift };
  return responseDrift(source, { shape: result.shape, isWhole }, before, () => sampleUpstream(source.name, () => at));
}

/** Held against the last good answer of a source that is asked live: earlier rows that are kept count. */
function olderThan<D extends DescMessage>(
  { source: { own, observedAt }, place, at }: FetchResult<D>,
  good: readonly MessageShape<D>[],
  previous: LastGood<D> | undefined,
): OlderResponse | undefined {
  if (!observedAt || own || place.origin === "sample") return undefined;
  const times = good.map((row) => observedAt(asGiven<D>(row)));
  return olderResponse(times, previous?.observedTo, at);
}

function withOlder<D extends DescMessage>(
  drift: ResponseDrift | undefined,
  { reported }: OlderResponse,
  previous: LastGood<D> | undefined,
): ResponseDrift {
  const { found, grave, seen } = drift ?? { found: [], grave: [], seen: previous?.drift ?? [] };
  return { found: [...found, ...unreported([reported], seen)], grave, seen };
}

function withDrift(failure: Failure, drift: ResponseDrift | undefined): Failure {
  const words = driftInWords(drift?.found ?? []);
  return words === "" ? failure : { ...failure, words: `${failure.words}; ${words}` };
}

function reasonToReject(
  source: SourceMetadata,
  rows: number,
  previous: number,
  parts: RefreshParts,
): string | undefined {
  const { floorOf, origin } = parts.upstreams;
  const isFirst = previous === 0 || origin === "sample" || source.own;
  return tooFew(source, rows, {
    floor: isFirst ? floorOf(source) : 0,
    previous: parts.acceptShrunk ? 0 : previous,
  });
}

function withRemembered<D extends DescMessage>(
  { remember, observedAt }: Source<MessageInitShape<D>>,
  rows: readonly MessageShape<D>[],
  previous: readonly MessageShape<D>[],
  { at: now, covered, rejected }: Pick<SourceResponse<D>, "covered" | "rejected"> & { readonly at: Date },
): readonly MessageShape<D>[] {
  if (!remember) return rows;
  const { key, retains, upstreamId = key } = remember;
  const reported = new Set(rows.map((row) => key(asGiven<D>(row))));
  const unread = new Set(rejected.map(({ row }) => row));
  const isWithdrawn = (row: MessageInitShape<D>) => {
    const instant = observedAt?.(row) ?? Number.NaN;
    const isRejected = unread.has(upstreamId(row)) || unread.has(key(row));
    return !isRejected && covered.some(({ from, to }) => from <= instant && instant <= to);
  };
  const earlier = previous.filter((stored) => {
    const row = asGiven<D>(stored);
    return !reported.has(key(row)) && retains(row, now) && !isWithdrawn(row);
  });
  return [...rows, ...earlier];
}

function observedRange<D extends DescMessage>(
  { observedAt }: Source<MessageInitShape<D>>,
  rows: readonly MessageShape<D>[],
): UsableResponse<D>["observed"] {
  if (!observedAt) return undefined;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const at = observedAt(asGiven<D>(row));
    if (!(Math.abs(at) <= maxMs)) continue;
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  return from <= to ? { from: new Date(from), to: new Date(to) } : undefined;
}

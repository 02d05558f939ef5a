import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { UpstreamError } from "../../egress/upstream-error.ts";
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

export interface FetchResult<D extends DescMessage> {
  readonly source: Source<MessageInitShape<D>>;
  readonly place: SourceKey;
  readonly at: Date;
  readonly requested: boolean;
  readonly result: /** The shape is set for a live response. */
    | (SourceResponse<D> & { readonly shape: Shape | undefined })
    | { readonly failure: Failure; readonly shape?: Shape | undefined }
    /** No request was sent, because the minimum time between requests has not passed. */
    | { readonly throttled: string };
}

export interface SourceResult<D extends DescMessage> {
  readonly response: FetchResult<D>;
  readonly state: SourceState;
  readonly detail: string;
  readonly rejected: readonly Rejection[];
  readonly drift: readonly Drift[];
  /** The good rows: those of this response, or the earlier ones if this response is bad. */
  readonly good: readonly MessageShape<D>[] | undefined;
  readonly stored: LastGoodResponse | undefined;
  /** Undefined if no request was sent. */
  readonly note: Outcome | undefined;
}

/** If the good share of rows is smaller, the log mentions it. */
const mentionedFrom = 0.9;
const maxMs = 8.64e15;

/** An error is returned as the failure of this source, so that the other sources continue. */
export async function sendRequest<D extends DescMessage>(
  dataset: Dataset<D>,
  source: Source<MessageInitShape<D>>,
  { upstreams, database }: RefreshParts,
): Promise<FetchResult<D>> {
  const upstream = upstreams.upstreamOf(source);
  const { now: at } = upstream;
  const origin = originOf(dataset, upstreams);
  const place = { dataset: dataset.name, source: source.name, origin };
  const unrequested = { source, place, at, requested: false };
  const missing = upstreams.missingOf(source);
  if (missing.length > 0)
    return { ...unrequested, result: { failure: { kind: "unconfigured", words: `not set: ${missing.join(", ")}` } } };
  const next = origin === "live" ? await nextRequestAt(database, place, source) : undefined;
  if (next && next > at) return { ...unrequested, result: { throttled: `no request before ${next.toISOString()}` } };
  const responded = { ...unrequested, requested: origin === "live" };
  const form = origin === "live" && !source.own ? shapeReader() : undefined;
  const observedUpstream = form ? observed(upstream, (exchange) => addResponse(form, exchange)) : upstream;
  try {
    const response = await fetchSource(dataset.row, source, observedUpstream);
    return { ...responded, result: { ...response, shape: form?.shape() } };
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

/** Reads the last good responses of all sources in one query, when the first one is evaluated. */
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
      response,
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
    return { response, state, detail: failure.words, rejected, drift: drift?.found ?? [], ...before, note };
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
  const gap = partial ? `, ${storedRows} of them retained, ${missingInWords(partial)}` : "";
  return {
    response,
    state: partial ? "partial" : "ok",
    detail: `${good.length} rows${held}, ${rejected.length} rejected${fewer}${gap}${changes}`,
    rejected,
    drift: drift?.found ?? [],
    good,
    stored,
    note,
  };
}

/**
 * An unreadable response is also compared with the last good one, because the operator needs the difference to find the
 * cause.
 */
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

/** Retained earlier rows count too. */
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

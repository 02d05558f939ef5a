import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Mask } from "../../config/masking.ts";
import { minuteMs } from "../../reference/duration.ts";
import { servableMinutes } from "../../store/served/dataset-age.ts";
import { sampleUpstream } from "../../upstream/sample/sample.ts";
import type { Dataset, LastGoodResponse } from "../dataset.ts";
import {
  type Drift,
  driftInWords,
  laterShape,
  type OlderResponse,
  olderResponse,
  type ResponseDrift,
  responseDrift,
  unreported,
} from "../drift/drift.ts";
import type { Rejection, Source, SourceMetadata, SourceState } from "../source.ts";
import { asGiven, type FetchResult, type RefreshParts, type SourceResponse } from "./fetch.ts";
import {
  type Failure,
  failureOfStatus,
  type LastGood,
  type LastResponses,
  lastGood,
  type Outcome,
  type PartialResponse,
  recordFailure,
  recordSuccess,
  type UsableResponse,
} from "./report.ts";

export interface SourceResult<D extends DescMessage> {
  readonly response: FetchResult<D>;
  readonly state: SourceState;
  readonly detail: string;
  readonly rejected: readonly Rejection[];
  readonly drift: readonly Drift[];
  /** The good rows of this response. If it is bad or no request was sent, those of the last good response. */
  readonly good: readonly MessageShape<D>[] | undefined;
  readonly stored: LastGoodResponse | undefined;
  /** The outcome to store. Undefined if the source was skipped because its last request was too recent. */
  readonly note: Outcome | undefined;
}

/** If a response has less than this share of the last good response's rows, the outcome states both numbers. */
const mentionedFrom = 0.9;
const maxMs = 8.64e15;

export async function evaluate<D extends DescMessage>(
  dataset: Dataset<D>,
  response: FetchResult<D>,
  parts: RefreshParts,
  last: LastResponses,
): Promise<SourceResult<D>> {
  const { row: schema, rowsInTable } = dataset;
  const { source, place, at, requested, result } = response;
  const previous = await lastGood(schema, (await last()).get(source.name));
  const before = {
    good: previous?.rows,
    stored: previous && { fetchedAt: previous.fetchedAt, fresh: false, covered: [], rejected: [] },
  };
  if ("throttled" in result)
    return { response, state: "paced", detail: result.throttled, rejected: [], drift: [], ...before, note: undefined };
  let drift = await driftOf(response, previous);
  const bad = (state: "failed" | "refused", failure: Failure, rejected: readonly Rejection[]) => {
    const note = recordFailure(place, { state, failure, at, requested, drift });
    return { response, state, detail: failure.words, rejected, drift: drift?.found ?? [], ...before, note };
  };
  if ("failure" in result) return bad("failed", withDrift(result.failure, drift), []);
  const { rejected, covered, available, shape } = result;
  if (drift && drift.grave.length > 0 && !parts.acceptChanged)
    return bad("refused", { kind: "changed", words: driftInWords(drift.grave) }, rejected);
  const { rows, partial, readAt, retained } = withMissing<D>(source, { ...result, at }, previous, {
    servableMs: servableMinutes(dataset) * minuteMs,
    mask: parts.upstreams.mask,
  });
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
  const held = available === undefined ? "" : ` of ${available}`;
  const changes = drift && drift.found.length > 0 ? `; ${driftInWords(drift.found)}` : "";
  const fewer = previous && good.length < previous.responded * mentionedFrom ? `, before ${previous.responded}` : "";
  const gap = partial ? `, ${retained} of them retained, ${missingInWords(partial)}` : "";
  return {
    response,
    state: partial ? "partial" : "ok",
    detail: `${good.length} rows${held}, ${rejected.length} rejected${fewer}${gap}${changes}`,
    rejected,
    drift: drift?.found ?? [],
    good,
    stored: { fetchedAt: readAt, fresh: true, covered, rejected: rejected.map(({ row }) => row) },
    note,
  };
}

/**
 * Returns the schema changes of a response since the last good one. An unreadable response is also compared, because
 * the operator needs the difference to find the cause.
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

function withDrift(failure: Failure, drift: ResponseDrift | undefined): Failure {
  const words = driftInWords(drift?.found ?? []);
  return words === "" ? failure : { ...failure, words: `${failure.words}; ${words}` };
}

/** Adds the last good rows of parts that the response lacks, unless these rows are too old to be served. */
function withMissing<D extends DescMessage>(
  { partOf }: Source<MessageInitShape<D>>,
  { rows, missing, at }: SourceResponse<D> & { readonly at: Date },
  earlier: LastGood<D> | undefined,
  { servableMs, mask }: { readonly servableMs: number; readonly mask: Mask },
) {
  if (missing.length === 0) return { rows, retained: 0, readAt: at, partial: undefined };
  const nameOf = (row: MessageShape<D>) => partOf?.(asGiven<D>(row));
  const received = new Set(rows.map(nameOf));
  const older = Map.groupBy(earlier?.rows ?? [], nameOf);
  const retained: MessageShape<D>[] = [];
  const times = [at.getTime()];
  const parts = missing.map(({ part, status, reason, kind }) => {
    const known = partOf && !received.has(part) ? older.get(part) : undefined;
    const readAt = known && earlier && readAtOf(earlier, part);
    const isServable = readAt !== undefined && at.getTime() - readAt.getTime() <= servableMs;
    if (known && isServable) {
      retained.push(...known);
      times.push(readAt.getTime());
    }
    return {
      part,
      ...failureOfStatus(status, mask(reason), kind),
      ...(isServable && { readAt: readAt.toISOString() }),
    };
  });
  return {
    rows: [...rows, ...retained],
    retained: retained.length,
    /** The read time of the oldest rows. */
    readAt: new Date(Math.min(...times)),
    partial: { at: at.toISOString(), missing: parts },
  };
}

function readAtOf<D extends DescMessage>({ partial, fetchedAt }: LastGood<D>, part: string): Date {
  if (!partial) return fetchedAt;
  const known = partial.missing.find((one) => one.part === part);
  return new Date(known?.readAt ?? partial.at);
}

function missingInWords({ missing }: PartialResponse): string {
  const [first] = missing;
  const names = missing.slice(0, 20).map(({ part }) => part);
  return `without ${names.join(", ")}${missing.length > names.length ? " and others" : ""}: ${first?.words}`;
}

/** If a response has less than this share of the last good response's rows, it is rejected as broken. */
export const shrinksTo = 0.5;

export function noneGood(rows: number, rejected: readonly Rejection[]): string | undefined {
  if (rows > 0 || rejected.length === 0) return undefined;
  return `all of its ${rejected.length} rows were rejected: ${rejected[0]?.reason}`;
}

export function tooFew(
  { rows: { mayBeEmpty } }: Pick<SourceMetadata, "rows">,
  rows: number,
  { floor, previous }: { readonly floor: number; readonly previous: number },
): string | undefined {
  if (mayBeEmpty) return undefined;
  if (rows === 0) return "an empty response";
  if (rows < floor) return `${rows} rows, and a good response has at least ${floor}`;
  return rows < previous * shrinksTo ? `${rows} rows, and the last good response had ${previous}` : undefined;
}

function reasonToReject(source: SourceMetadata, rows: number, previous: number, parts: RefreshParts) {
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

/** Finds whether the rows end earlier than those of the last good response. Rows retained from it count too. */
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

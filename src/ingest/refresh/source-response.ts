import { setImmediate as nextTick } from "node:timers/promises";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { dayMs } from "../../reference/duration.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { asGiven, checkRows, nameOf } from "../row-check.ts";
import type { MissingPart, Parsed, Rejection, Source, Span } from "../source.ts";

export interface SourceResponse<D extends DescMessage> {
  readonly rows: readonly MessageShape<D>[];
  readonly rejected: readonly Rejection[];
  /** Spans whose rows are all in the response. */
  readonly covered: readonly Span[];
  readonly missing: readonly MissingPart[];
  readonly available: number | undefined;
}

/** The margin allows for clocks, time zones, and days that begin the evening before. Later rows cannot be known yet. */
const daysAhead = 2;

export async function fetchSource<D extends DescMessage>(
  schema: D,
  source: Source<MessageInitShape<D>>,
  upstream: Upstream,
): Promise<SourceResponse<D>> {
  const response = await source.fetch(upstream);
  // A long parse has a tick of its own, so that requests are handled before and after it.
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

/** Returns whether a response can prove that a row was withdrawn. */
function isComplete<Row>({ complete, rows, missing = [] }: Parsed<Row>, unfit: readonly Rejection[]): boolean {
  // A row that breaks our own rules and has no ID may be any of the stored rows.
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
  // The days of samples are moved by whole weeks.
  const days = isOpenList ? 0 : covers.days + (origin === "sample" ? 7 : 0);
  const from = isOpenList ? Number.MIN_SAFE_INTEGER : now.getTime() - days * dayMs;
  return [{ from, to: Number.MAX_SAFE_INTEGER }];
}

function withoutFuture<D extends DescMessage>(
  { observedAt, reportsYears, own }: Source<MessageInitShape<D>>,
  { rows, rejected }: ReturnType<typeof checkRows<D>>,
  now: Date,
): ReturnType<typeof checkRows<D>> {
  // Our own lists may contain announced events.
  if (!observedAt || own) return { rows, rejected };
  const last = reportsYears ? Date.UTC(now.getUTCFullYear() + 1, 0) - 1 : now.getTime() + daysAhead * dayMs;
  const reason = reportsYears ? "of a year that has not begun" : `a moment more than ${daysAhead} days ahead`;
  const isAhead = (row: MessageShape<D>) => observedAt(asGiven<D>(row)) > last;
  const ahead = rows.flatMap((row, index) => (isAhead(row) ? [{ row: nameOf(row, index), reason }] : []));
  return ahead.length === 0
    ? { rows, rejected }
    : { rows: rows.filter((row) => !isAhead(row)), rejected: [...rejected, ...ahead] };
}

import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { dayMs } from "../../reference/duration.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { asGiven, checkRows, nameOf } from "../row-check.ts";
import type { MissingPart, Rejection, Source } from "../source.ts";
import { ownTurn } from "./own-turn.ts";

/** What a source answered, as far as it can be read and holds to our own rules. */
export interface SourceAnswer<D extends DescMessage> {
  readonly rows: readonly MessageShape<D>[];
  readonly rejected: readonly Rejection[];
  readonly complete: boolean;
  readonly missing: readonly MissingPart[];
  readonly available: number | undefined;
}

/** Clocks, time zones and days that begin the evening before; what is told of later is not known yet. */
const daysAhead = 2;

/** Asks a source for all that it has and checks its rows. Throws what the source does. */
export async function askSource<D extends DescMessage>(
  schema: D,
  source: Source<MessageInitShape<D>>,
  upstream: Upstream,
): Promise<SourceAnswer<D>> {
  const answer = await source.fetch(upstream);
  const parsed = await ownTurn(() => source.parse(answer, upstream.now));
  const { rows, rejected, missing = [], available, complete } = parsed;
  const checked = withoutFuture(source, await ownTurn(() => checkRows(schema, rows)), upstream.now);
  return {
    rows: checked.rows,
    rejected: [...rejected, ...checked.rejected],
    // Rows that break our own rules are told by their place, not by their id.
    complete: complete === true && checked.rejected.length === 0 && missing.length === 0,
    missing,
    available,
  };
}

/** The rows without those that tell of a moment too far ahead to be known. */
function withoutFuture<D extends DescMessage>(
  { observedAt, tellsOfYears, own }: Source<MessageInitShape<D>>,
  { rows, rejected }: ReturnType<typeof checkRows<D>>,
  now: Date,
): ReturnType<typeof checkRows<D>> {
  // Lists of our own may name what is announced.
  if (!observedAt || own) return { rows, rejected };
  const last = tellsOfYears ? Date.UTC(now.getUTCFullYear() + 1, 0) - 1 : now.getTime() + daysAhead * dayMs;
  const reason = tellsOfYears ? "of a year that has not begun" : `a moment more than ${daysAhead} days ahead`;
  const isAhead = (row: MessageShape<D>) => observedAt(asGiven<D>(row)) > last;
  const ahead = rows.flatMap((row, index) => (isAhead(row) ? [{ row: nameOf(row, index), reason }] : []));
  return ahead.length === 0
    ? { rows, rejected }
    : { rows: rows.filter((row) => !isAhead(row)), rejected: [...rejected, ...ahead] };
}

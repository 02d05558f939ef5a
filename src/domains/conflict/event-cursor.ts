import { createHash } from "node:crypto";
import { z } from "zod";
import { type Cursors, cursorEnd } from "../../access/cursor.ts";
import { InvalidRequest } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import type { EventFilter } from "./event-filter.ts";
import type { EventOrder, EventPosition } from "./event-table.ts";

/** What a cursor is for: it fits no other filters and no other order. */
export interface EventWalk {
  /** As they were given: the default bounds move with the day. */
  readonly bounds: { readonly start: bigint; readonly end: bigint };
  readonly filter: EventFilter;
  readonly order: EventOrder;
}

const lastsMs = dayMs;

const contentSchema = z.strictObject({
  walk: z.string(),
  /** The window's bounds stay those of the first page when the day ends. */
  from: z.string(),
  to: z.string(),
  occurredAt: z.string(),
  fatalities: z.int(),
  id: z.string(),
  /** When it ends, milliseconds since 1970. */
  ends: z.number(),
});

/** Where a page ended, and the window that the walk covers. */
export interface WalkPosition {
  readonly position: EventPosition;
  readonly from: bigint;
  readonly to: bigint;
}

export function writeCursor(cursors: Cursors, walk: EventWalk, position: EventPosition, now: Date): string {
  const { from, to } = walk.filter;
  return cursors.sign({
    walk: fingerprint(walk),
    from: String(from),
    to: String(to),
    ...position,
    ends: cursorEnd(now, lastsMs),
  } satisfies z.infer<typeof contentSchema>);
}

/** Where the page before ended; undefined for the first page. Throws `InvalidRequest` for a cursor that does not fit. */
export function readCursor(cursors: Cursors, walk: EventWalk, cursor: string, now: Date): WalkPosition | undefined {
  if (cursor === "") return undefined;
  const content = contentSchema.safeParse(cursors.open(cursor)).data;
  if (!content) throw refused("value must be the nextAfter of an earlier answer");
  if (content.walk !== fingerprint(walk)) throw refused("value belongs to other filters or another order");
  if (now.getTime() > content.ends) throw refused("value has expired: begin again without it");
  const { from, to, occurredAt, fatalities, id } = content;
  return { position: { occurredAt, fatalities, id }, from: BigInt(from), to: BigInt(to) };
}

function refused(description: string): InvalidRequest {
  return new InvalidRequest([{ field: "after", description }]);
}

function fingerprint({ bounds, filter: { from: _from, to: _to, ...filter }, order }: EventWalk): string {
  const text = JSON.stringify([order, String(bounds.start), String(bounds.end), filter]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

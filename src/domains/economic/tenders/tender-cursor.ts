import { createHash } from "node:crypto";
import { z } from "zod";
import { type Cursors, cursorEnd } from "../../../access/cursor.ts";
import { InvalidRequest } from "../../../errors.ts";
import { dayMs } from "../../../reference/duration.ts";
import type { TenderFilter } from "./tender-filter.ts";
import type { Position } from "./tender-page.ts";

/** What a cursor is for: it fits no other filters and no other order. */
export interface Walk {
  readonly filter: TenderFilter;
  readonly sort: string;
}

const lastsMs = dayMs;

const contentSchema = z.strictObject({
  walk: z.string(),
  keys: z.array(z.string()).readonly(),
  id: z.string(),
  /** When it ends, milliseconds since 1970. */
  ends: z.number(),
});

export function writeCursor(cursors: Cursors, walk: Walk, { keys, id }: Position, now: Date): string {
  return cursors.sign({ walk: fingerprint(walk), keys, id, ends: cursorEnd(now, lastsMs) } satisfies z.infer<
    typeof contentSchema
  >);
}

/** Where the page before ended; undefined for the first page. Throws `InvalidRequest` for a cursor that does not fit. */
export function readCursor(cursors: Cursors, walk: Walk, cursor: string, now: Date): Position | undefined {
  if (cursor === "") return undefined;
  const content = contentSchema.safeParse(cursors.open(cursor)).data;
  if (!content) throw refused("value must be the nextCursor of an earlier answer");
  if (content.walk !== fingerprint(walk)) throw refused("value belongs to other filters or another order");
  if (now.getTime() > content.ends) throw refused("value has expired: begin again without a cursor");
  return content;
}

function refused(description: string): InvalidRequest {
  return new InvalidRequest([{ field: "cursor", description }]);
}

function fingerprint({ filter, sort }: Walk): string {
  const text = JSON.stringify([sort, Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

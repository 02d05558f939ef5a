import { createHash } from "node:crypto";
import { z } from "zod";
import { invalidField } from "../errors.ts";
import { dayMs } from "../reference/duration.ts";
import { type Cursors, cursorEnd } from "./cursor.ts";

interface CursorNames {
  /** The parameter with a cursor. */
  readonly parameter: string;
  /** The field of a response with the cursor of its next page. */
  readonly next: string;
}

const validitySchema = z.object({
  walk: z.string(),
  /** The time at which the cursor expires, Unix epoch milliseconds. */
  ends: z.number(),
});

/**
 * Writes and reads cursors of positions in a list. A cursor expires after a day, and is valid only for the filters and
 * the order of the list, which `walk` contains as text.
 */
export function pageCursors<Position extends object>(
  cursors: Cursors,
  positionSchema: z.ZodType<Position>,
  { parameter, next }: CursorNames,
) {
  const contentSchema = validitySchema.and(positionSchema);
  return {
    write: (walk: string, position: Position, now: Date) =>
      cursors.sign({ walk: fingerprint(walk), ...position, ends: cursorEnd(now, dayMs) }),
    /** Returns the position of the previous page's last item; undefined for the first page. Throws `InvalidRequest`. */
    read(walk: string, cursor: string, now: Date): Position | undefined {
      if (cursor === "") return undefined;
      const content = contentSchema.safeParse(cursors.open(cursor)).data;
      if (!content) throw invalidField(parameter, `value must be the ${next} of an earlier response`);
      if (content.walk !== fingerprint(walk))
        throw invalidField(parameter, "value belongs to other filters or another order");
      if (now.getTime() > content.ends) throw invalidField(parameter, "value has expired: begin again without it");
      return content;
    },
  };
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

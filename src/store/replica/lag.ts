/** How far behind a replica is, in milliseconds: by which positions of the primary's log it has replayed, so that one without anything to replay is not behind. */
export interface Lag {
  /** The primary had written so far at this moment. */
  readonly written: (position: bigint, at: number) => void;
  /** Undefined where it has replayed none of the positions that are known. */
  readonly behindMs: (replayed: bigint, now: number) => number | undefined;
}

/** Positions that are known: of more nobody asks. */
const maxMarks = 1_000;

export function createLag(): Lag {
  /** Oldest first. */
  const marks: { readonly position: bigint; readonly at: number }[] = [];
  return {
    written(position, at) {
      // After a failover a log may begin before the end of the one before it.
      if ((marks.at(-1)?.position ?? position) > position) marks.length = 0;
      marks.push({ position, at });
      if (marks.length > maxMarks) marks.shift();
    },
    behindMs(replayed, now) {
      const newest = marks.findLastIndex(({ position }) => position <= replayed);
      const mark = marks[newest];
      if (!mark) return undefined;
      marks.splice(0, newest);
      return now - mark.at;
    },
  };
}

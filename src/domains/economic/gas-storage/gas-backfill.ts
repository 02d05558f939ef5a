import { z } from "zod";
import { UpstreamError } from "../../../errors.ts";
import type { Backfill, SeriesPoint } from "../../../ingest/series/series.ts";
import { askGasDays } from "../../../providers/agsi/agsi.ts";
import { agsi } from "./agsi.ts";

/** What the inventory gives at most on a page. */
const daysOnPage = 300;
/** More than the years since it began. */
const maxPages = 60;

const pagesSchema = z.object({ last_page: z.number().int().positive() });

/** The gas days since the inventory began, page by page. */
export function gasBackfill(pointsOf: (day: GasDay) => readonly SeriesPoint[]): Backfill {
  return {
    source: agsi,
    begins: "2011-01-01",
    async read(upstream, { from, to }) {
      const points: SeriesPoint[] = [];
      for (let [page, last] = [1, 1]; page <= last; page++) {
        const query = { type: "eu", from, to, size: String(daysOnPage), page: String(page) };
        const answer = await askGasDays(upstream, query);
        const { rows } = agsi.parse(answer, upstream.now);
        points.push(...rows.flatMap(({ date = "", fillPct = 0, gasTwh = 0 }) => pointsOf({ date, fillPct, gasTwh })));
        last = lastPageOf(answer);
      }
      return points;
    },
  };
}

export interface GasDay {
  readonly date: string;
  readonly fillPct: number;
  readonly gasTwh: number;
}

function lastPageOf(answer: unknown): number {
  const read = pagesSchema.safeParse(answer);
  if (!read.success) throw new UpstreamError("AGSI does not say how many pages it has");
  return Math.min(read.data.last_page, maxPages);
}

import type { Backfill, SeriesPoint } from "../../../ingest/series/series.ts";
import { allGasDays } from "../../../providers/agsi/agsi.ts";
import { agsi } from "./agsi.ts";

/** A gas day as it is shown. */
export interface GasDay {
  readonly date: string;
  readonly fillPct: number;
  readonly gasTwh: number;
}

/** The gas days since the inventory began, page by page. */
export function gasBackfill(pointsOf: (day: GasDay) => readonly SeriesPoint[]): Backfill {
  return {
    source: agsi,
    begins: "2011-01-01",
    async read(upstream, span) {
      const answers = await allGasDays(upstream, { type: "eu", ...span });
      const days = answers.flatMap((answer) => agsi.parse(answer, upstream.now).rows);
      return days.flatMap(({ date = "", fillPct = 0, gasTwh = 0 }) => pointsOf({ date, fillPct, gasTwh }));
    },
  };
}

import { sql } from "kysely";
import { ConflictEventCountSchema, ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { DatasetSeries } from "../../ingest/series/dataset-series.ts";
import { seriesOfField } from "../../ingest/series/series.ts";
import { dayMs } from "../../reference/duration.ts";

const terms = { keyParts: ["country"], step: "day", shownBy: ConflictService.method.countConflictEvents } as const;
const events = seriesOfField({ ...terms, id: "conflict.events" }, ConflictEventCountSchema.field.events);
const fatalities = seriesOfField({ ...terms, id: "conflict.fatalities" }, ConflictEventCountSchema.field.fatalities);

/** A source may add or correct the events of a day for this number of days. */
const daysReportedAgain = 400;
/** If the world has no event for this number of days, the sources do not cover these days. */
const daysUnreported = 8;

/**
 * Events and deaths by country and UTC day, up to the last day that a source covers. If a country had events earlier, a
 * covered day without an event is a measured 0.
 */
export const eventSeries: DatasetSeries = {
  series: [events, fatalities],
  absentIsZero: true,
  async read(transaction, now) {
    const since = Math.floor(now.getTime() / dayMs) - daysReportedAgain;
    const { rows } = await sql<{ country: string; day: number; events: number; fatalities: number }>`
      with counted as (
        select country, (occurred_at / ${dayMs}::int8)::int4 as day, count(*)::int4 as events, sum(fatalities)::float8 as fatalities
        from conflict_event
        where duplicate_of is null and country <> '' and occurred_at >= ${since * dayMs}::int8
        group by 1, 2
      ), days_reported as (
        select day, lead(day) over (order by day) - day as until_next from (select distinct day from counted) as days
      ), covered as (
        select covered.day from days_reported cross join lateral generate_series(
          days_reported.day, days_reported.day + case when until_next <= ${daysUnreported} then until_next - 1 else 0 end) as covered (day)
      )
      select country, day, coalesce(events, 0) as events, coalesce(fatalities, 0) as fatalities
      from covered cross join (select distinct country from counted) as countries
      left join counted using (country, day)`.execute(transaction);
    return rows.flatMap((row) => {
      const at = new Date(row.day * dayMs);
      return [
        { series: events, key: row.country, at, value: row.events },
        { series: fatalities, key: row.country, at, value: row.fatalities },
      ];
    });
  },
};

import { sql } from "kysely";
import type { FlowSeries } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import type { Store, Transaction } from "../../../store/tables.ts";
import type { SeriesKey } from "../coverage-table.ts";
import { type Freshness, freshness } from "../trade-series.ts";

/** Exports and imports of consecutive years, oldest first, in millions of US dollars. */
export interface FlowYears extends Freshness {
  readonly years: readonly FlowYear[];
}

interface FlowYear {
  readonly year: number;
  readonly exports: number;
  readonly imports: number;
  /** The change in percent since the previous calendar year. Null if the value of that year is unknown or zero. */
  readonly exportChange: number | null;
  readonly importChange: number | null;
}

interface FlowRow extends FlowYear {
  readonly name: string;
  readonly fetched_at: Date;
}

/** Reads the exports and imports of a reporter, with two decimals. Undefined if there are none. */
export async function readFlows(
  database: Store,
  { reporter, partner }: SeriesKey,
  years: number,
): Promise<FlowYears | undefined> {
  const { rows } = await sql<FlowRow>`
    select flow.year, flow.name, flow.fetched_at,
      round(flow.exports, 2)::float8 as exports,
      round(flow.imports, 2)::float8 as imports,
      round((flow.exports - earlier.exports) * 100 / nullif(earlier.exports, 0), 2)::float8 as "exportChange",
      round((flow.imports - earlier.imports) * 100 / nullif(earlier.imports, 0), 2)::float8 as "importChange"
    from trade_flow flow
    left join trade_flow earlier
      on (earlier.reporter, earlier.partner, earlier.year) = (flow.reporter, flow.partner, flow.year - 1)
    where flow.reporter = ${reporter} and flow.partner = ${partner}
      and flow.year >= (
        select max(year) from trade_flow where reporter = ${reporter} and partner = ${partner}
      ) - ${years}::int
    order by flow.year`.execute(database);
  return rows.length === 0 ? undefined : { years: rows, ...freshness(rows) };
}

/** Adds new years and updates stored ones. Stored years are never deleted. */
export async function storeFlows(transaction: Transaction, series: readonly FlowSeries[], now: Date) {
  const rows = series.flatMap(({ reporter, partner, name, points }) =>
    points.map(({ year, exports, imports }) => ({ reporter, partner, year, exports, imports, name, fetched_at: now })),
  );
  await sql`
    insert into trade_flow select * from json_populate_recordset(null::trade_flow, ${JSON.stringify(rows)})
    on conflict (reporter, partner, year) do update set
      (exports, imports, name, fetched_at) =
      (excluded.exports, excluded.imports, excluded.name, excluded.fetched_at)`.execute(transaction);
}

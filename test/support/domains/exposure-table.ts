import type { Database } from "../../../src/store/database.ts";
import { testTime } from "../app.ts";

type Record = readonly [iso2: string, hs2: string, coverage: string, scores: object, vulnerabilityIndex: number];

const byFlow = "flow_weighted";
const byRoute = "country_route_fallback";

/** Six countries with few chapters each, small enough to compute by hand. */
const smallTable: readonly Record[] = [
  ["JP", "27", byFlow, { hormuz_strait: 40, malacca_strait: 30 }, 29],
  ["JP", "29", byRoute, { hormuz_strait: 10.5 }, 5.3],
  ["JP", "84", byFlow, { taiwan_strait: 20 }, 10],
  ["JP", "87", byRoute, { taiwan_strait: 10 }, 5],
  ["IN", "27", byRoute, { hormuz_strait: 60.4, suez: 16.7, bab_el_mandeb: 16.7 }, 38.6],
  ["TW", "85", byFlow, { taiwan_strait: 50, panama: 12.5 }, 40],
  ["US", "85", byRoute, { panama: 50, taiwan_strait: 50, suez: 16.7, bab_el_mandeb: 16.7 }, 43.3],
  ["EG", "10", byFlow, { bosphorus: 72.4, suez: 8, dover_strait: 0 }, 38.6],
  ["EG", "12", byRoute, { bosphorus: 25 }, 12.5],
  ["KR", "27", byFlow, { hormuz_strait: 0 }, 0],
];

/** Makes these the exposures on record. */
export async function storeExposures({ query }: Database, table: readonly Record[] = smallTable): Promise<void> {
  await query("delete from chokepoint_exposure");
  await query(
    `insert into dataset (name, generation, origin, stored_at, rows) values ('country-imports', 1, 'live', $1, $2)
     on conflict (name) do update set (stored_at, rows) = (excluded.stored_at, excluded.rows)`,
    [testTime, table.length],
  );
  for (const [iso2, hs2, coverage, scores, index] of table)
    await query("insert into chokepoint_exposure values ($1, $2, $3, $4, '', $5, $6)", [
      ...[iso2, hs2, coverage, JSON.stringify(scores), index, testTime],
    ]);
}

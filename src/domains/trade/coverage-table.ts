import { sql } from "kysely";
import type { Store, Transaction } from "../../store/tables.ts";

export interface Coverage {
  /** Whether the source has the series. It becomes false after several empty responses in a row. */
  readonly advertised: boolean;
  /** The number of empty responses since the last response with data. */
  readonly emptyStreak: number;
  readonly lastOkAt: Date | null;
}

export type Outcome = "data" | "empty" | "unanswered";

/** Returns the coverage after a response. After `emptyRuns` empty ones in a row, the source lacks the series. */
export function afterResponse(
  known: Coverage | undefined,
  outcome: Outcome,
  { emptyRuns, now }: { readonly emptyRuns: number; readonly now: Date },
): Coverage {
  switch (outcome) {
    case "data":
      return { advertised: true, emptyStreak: 0, lastOkAt: now };
    case "empty": {
      const emptyStreak = (known?.emptyStreak ?? 0) + 1;
      const advertised = known?.advertised === true && emptyStreak < emptyRuns;
      return { advertised, emptyStreak, lastOkAt: known?.lastOkAt ?? null };
    }
    case "unanswered":
      return known ?? { advertised: true, emptyStreak: 0, lastOkAt: null };
  }
}

type CoverageTables = { trade_coverage: CoverageTable };

/** Whether a source has a reporter's series. Check constraints of the table reject malformed rows. */
interface CoverageTable {
  dataset: string;
  reporter: string;
  partner: string;
  advertised: boolean;
  empty_streak: number;
  last_ok_at: Date | null;
}

export interface SeriesKey {
  readonly reporter: string;
  readonly partner: string;
}

/** Whether the source has a series. `unknown`: it is not known for any series of the dataset yet. */
export type Listing = "listed" | "not listed" | "unknown";

export async function readListing(
  database: Store,
  dataset: string,
  { reporter, partner }: SeriesKey,
): Promise<Listing> {
  const { known, listed } = await database
    .withTables<CoverageTables>()
    .selectFrom("trade_coverage")
    .select(({ fn, eb }) => [
      fn.countAll<string>().as("known"),
      fn.count<string>(eb.case().when(eb.and({ reporter, partner })).then(1).end()).as("listed"),
    ])
    .where("dataset", "=", dataset)
    .where("advertised", "=", true)
    .executeTakeFirstOrThrow();
  if (Number(known) === 0) return "unknown";
  return Number(listed) > 0 ? "listed" : "not listed";
}

interface Outcomes {
  readonly series: readonly { readonly reporter: string; readonly responded: boolean }[];
  readonly empty: readonly string[];
}

/** Stores for each reporter whether the source had data. All reporters of a call have the same trade partner. */
export async function storeOutcomes(
  transaction: Transaction,
  { dataset, partner, ...terms }: { dataset: string; partner: string; emptyRuns: number; now: Date },
  { series, empty }: Outcomes,
): Promise<void> {
  const stored = await transaction
    .withTables<CoverageTables>()
    .selectFrom("trade_coverage")
    .selectAll()
    .where("dataset", "=", dataset)
    .where("partner", "=", partner)
    .execute();
  const known = new Map(stored.map((row) => [row.reporter, row]));
  const after = (reporter: string, outcome: Outcome) => {
    const row = known.get(reporter);
    const before = row && { advertised: row.advertised, emptyStreak: row.empty_streak, lastOkAt: row.last_ok_at };
    const { advertised, emptyStreak, lastOkAt } = afterResponse(before, outcome, terms);
    return { dataset, reporter, partner, advertised, empty_streak: emptyStreak, last_ok_at: lastOkAt };
  };
  const rows = [
    ...series.map(({ reporter, responded }) => after(reporter, responded ? "data" : "unanswered")),
    ...empty.map((reporter) => after(reporter, "empty")),
  ];
  await sql`
    insert into trade_coverage
    select * from json_populate_recordset(null::trade_coverage, ${JSON.stringify(rows)})
    on conflict (dataset, reporter, partner) do update set
      (advertised, empty_streak, last_ok_at) = (excluded.advertised, excluded.empty_streak, excluded.last_ok_at)
  `.execute(transaction);
}

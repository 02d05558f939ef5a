import { sql } from "kysely";
import type { Store } from "../tables.ts";
import type { ChangeKind } from "./change-log.ts";

export interface UpdatedSubjects {
  readonly has: (rows: string, subject: string) => boolean;
}

export interface UpdatedSpan {
  readonly datasets: readonly string[];
  readonly after: Date;
  /** True in live mode, which excludes sample data. */
  readonly liveOnly: boolean;
}

const ofRows: readonly ChangeKind[] = ["appeared", "changed"];
const ofAll: readonly ChangeKind[] = ["replaced", "corrected", "degraded"];
/** If more rows than this changed, all rows of the datasets count as updated. */
const maxSubjects = 20_000;

export async function updatedSubjects(
  database: Store,
  { datasets, after, liveOnly }: UpdatedSpan,
): Promise<UpdatedSubjects> {
  const logged = () =>
    database
      .selectFrom("change")
      .where("dataset", "in", datasets)
      .where("at", ">", after)
      .$if(liveOnly, (query) => query.where("origin", "=", "live"));
  // An entry about a recovery has values if missing inputs returned, and none if a stale dataset was refreshed.
  const returned = sql<boolean>`kind = 'recovered' and after is not null`;
  const whole = await logged()
    .where(({ or, eb }) => or([eb("kind", "in", ofAll), returned]))
    .select(sql`1`.as("one"))
    .limit(1)
    .execute();
  if (whole.length > 0) return { has: () => true };
  const found = await logged()
    .where("kind", "in", ofRows)
    .select(["rows", "subject"])
    .distinct()
    .limit(maxSubjects + 1)
    .execute();
  if (found.length > maxSubjects) return { has: () => true };
  const byTable = new Map(
    [...Map.groupBy(found, ({ rows }) => rows)].map(([rows, group]) => [
      rows,
      new Set(group.map(({ subject }) => subject)),
    ]),
  );
  return { has: (rows, subject) => byTable.get(rows)?.has(subject) ?? false };
}

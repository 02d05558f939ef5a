import { minuteMs } from "../../reference/duration.ts";
import type { Database } from "../../store/database.ts";
import { originOf, type Upstreams } from "../upstreams.ts";
import type { ScheduledDataset } from "./scheduled.ts";

/** Returns the datasets that were never stored, that are too old, or that came from the other origin. */
export async function overdue(
  { kysely }: Pick<Database, "kysely">,
  datasets: readonly Pick<ScheduledDataset, "name" | "sources" | "reads" | "freshForMinutes">[],
  { origin, now }: Pick<Upstreams, "origin"> & { readonly now: Date },
): Promise<string[]> {
  const rows = await kysely.selectFrom("dataset").select(["name", "stored_at", "origin"]).execute();
  const stored = new Map(rows.map((row) => [row.name, row]));
  return datasets
    .filter((dataset) => {
      const { name, freshForMinutes } = dataset;
      const row = stored.get(name);
      if (!row || originOf(dataset, { origin }) !== row.origin) return true;
      return now.getTime() - row.stored_at.getTime() > freshForMinutes * minuteMs;
    })
    .map(({ name }) => name);
}

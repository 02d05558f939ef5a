import type { Database } from "../../store/database.ts";
import { leadersOf, type ScheduledDataset } from "./scheduled.ts";

/** What is made from others and was never tried, by this process or by another one. */
export interface FirstTurns {
  /** Some of what it is made from was not tried either: it would be made from too little. */
  readonly waiting: ReadonlySet<string>;
  readonly ready: ReadonlySet<string>;
}

export async function firstTurns(
  { kysely }: Pick<Database, "kysely">,
  datasets: readonly ScheduledDataset[],
): Promise<FirstTurns> {
  const stored = kysely.selectFrom("dataset").select("name");
  const asked = kysely.selectFrom("source").select("dataset as name");
  const tried = new Set((await stored.union(asked).execute()).map(({ name }) => name));
  const untried = new Set(datasets.flatMap(({ name }) => (tried.has(name) ? [] : name)));
  const made = datasets.filter((each) => untried.has(each.name) && leadersOf(each).length > 0);
  const isWaiting = (each: ScheduledDataset) => leadersOf(each).some((name) => untried.has(name));
  const names = (some: readonly ScheduledDataset[]) => new Set(some.map(({ name }) => name));
  return { waiting: names(made.filter(isWaiting)), ready: names(made.filter((each) => !isWaiting(each))) };
}

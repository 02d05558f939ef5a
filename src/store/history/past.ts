import { sql } from "kysely";
import { dayMs, minuteMs } from "../../reference/duration.ts";
import { datasetReader } from "../served/dataset-reader.ts";
import type { Provenance, Served } from "../served/served.ts";
import { loadStored, type Stored, type StoredTerms } from "../served/stored-dataset.ts";
import type { Store, Transaction } from "../tables.ts";

export interface Past {
  /** Queries through this connection see the rows of a past time. Only tables with stored versions are available. */
  readonly database: Transaction;
  readonly served: Served;
  readonly clock: () => Date;
  /** Loads the past rows into the objects in memory that otherwise follow the current dataset. */
  readonly followed: () => Promise<void>;
}

export interface PastView {
  readonly at: Date;
  /** The datasets to read, and those that determine their age. */
  readonly datasets: readonly StoredTerms[];
  /** Live mode includes only live data; sample mode includes both. */
  readonly data: "live" | "sample";
}

export function inPast<T>(database: Store, view: PastView, read: (past: Past) => Promise<T>): Promise<T> {
  return database
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const { at } = view;
      await sql`select set_config('search_path', 'ids_past', true), set_config('ids.as_of', ${at.toISOString()}, true)`.execute(
        transaction,
      );
      const stored = new Map<string, Stored>();
      for (const terms of view.datasets) {
        const found = await loadStored(transaction, terms);
        const isHidden = view.data === "live" && found?.provenance.origin === "sample";
        if (found && !isHidden) stored.set(terms.name, found);
      }
      return read(pastOf(transaction, view, stored));
    });
}

/** Returns the time at which ages are measured. Samples do not age during a day, but are as old as when stored. */
function timeOf({ at, datasets }: PastView, stored: ReadonlyMap<string, Stored>): Date {
  const reported = datasets.flatMap((terms) => {
    const provenance = stored.get(terms.name)?.provenance;
    return provenance ? [{ ...provenance, freshMs: terms.freshForMinutes * minuteMs }] : [];
  });
  const ageOf = ({ storedAt }: { readonly storedAt: Date }) => at.getTime() - storedAt.getTime();
  const age = Math.min(...reported.map(ageOf));
  const stands = age < dayMs && reported.every((each) => each.origin === "sample" && ageOf(each) > each.freshMs);
  return stands ? new Date(at.getTime() - age) : at;
}

function pastOf(database: Transaction, view: PastView, stored: ReadonlyMap<string, Stored>): Past {
  const { datasets } = view;
  const instant = timeOf(view, stored);
  const clock = () => instant;
  const loads: (() => Promise<void>)[] = [];
  const reader = datasetReader({
    termsOf: (name) => datasets.find((terms) => terms.name === name),
    visibleOf: (name) => stored.get(name),
    clock,
  });
  const follow: Served["follow"] = ({ name }, load, { onlySpeeds = false } = {}) => {
    const provenance: Provenance | undefined = stored.get(name)?.provenance;
    if (provenance && !onlySpeeds) loads.push(() => load(provenance));
  };
  return {
    database,
    clock,
    served: { ...reader, follow },
    async followed() {
      for (const load of loads) await load();
    },
  };
}

/** Returns when the history of a dataset starts; undefined if none is stored. Live mode excludes sample data. */
export async function historyBegins(
  database: Store,
  { name }: { readonly name: string },
  data: "live" | "sample",
): Promise<Date | undefined> {
  const row = await database
    .selectFrom("dataset_version")
    .select(({ fn }) => fn.min("valid_from").as("at"))
    .where("name", "=", name)
    .$if(data === "live", (query) => query.where("origin", "=", "live"))
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** The versions of datasets that were visible at a time. */
export interface PastVersions {
  /** The names of the datasets and the starts of their versions. Responses from the same versions are equal. */
  readonly key: string;
  /** Start of the newest version, Unix epoch milliseconds; 0 if there is none. */
  readonly newest: number;
}

export async function pastVersions(database: Store, names: readonly string[], at: Date): Promise<PastVersions> {
  const rows = await database
    .selectFrom("dataset_version")
    .select(["name", "generation", "valid_from"])
    .where("name", "in", names)
    .where("valid_from", "<=", at)
    .where("valid_to", ">", at)
    .orderBy("name")
    .execute();
  return {
    key: rows.map(({ name, generation }) => `${name}:${generation}`).join(" "),
    newest: Math.max(0, ...rows.map(({ valid_from }) => valid_from.getTime())),
  };
}

import { countWithData } from "../../contract/live-summary.ts";
import type { Database } from "../database.ts";
import { datasetReader } from "./dataset-reader.ts";
import { type Repeater, repeater } from "./repeater.ts";
import type { Served } from "./served.ts";
import { loadStored, type Stored, type StoredTerms } from "./stored-dataset.ts";

export interface ServedDatasets extends Served {
  /** Must be called when a new version of a dataset is stored. Other names are ignored. */
  readonly changed: (name: string) => void;
  /** Number of all datasets, and of those with rows that may be served. */
  readonly counts: () => { readonly total: number; readonly withData: number };
  /** Resolves when all changed datasets were loaded, or their load has failed. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ServedOptions {
  readonly datasets: readonly StoredTerms[];
  /** Live mode serves only live data; sample mode serves both. */
  readonly data: "live" | "sample";
  readonly clock: () => Date;
  /** Called when responses from a dataset may change: after it is loaded, and after each object that follows it. */
  readonly moved: (name: string) => void;
  readonly log: (message: string) => void;
}

interface Entry {
  readonly terms: StoredTerms;
  readonly loading: Repeater;
  readonly followers: Repeater[];
  stored?: Stored;
}

/** Serves datasets from memory. The database is read only when a new version of a dataset is stored. */
export function serveDatasets(database: Database, options: ServedOptions): ServedDatasets {
  const { datasets, data, clock, moved, log } = options;
  const entries = new Map(datasets.map((dataset) => [dataset.name, makeEntry(dataset)]));
  const repeaters = () => [...entries.values()].flatMap(({ loading, followers }) => [loading, ...followers]);
  const isHidden = ({ provenance }: Stored) => data === "live" && provenance.origin === "sample";
  const { dataStatusOf, ...reader } = datasetReader({
    termsOf: (name) => entries.get(name)?.terms,
    visibleOf: (name) => visibleOf(entries.get(name)),
    clock,
  });

  return {
    changed: (name) => entries.get(name)?.loading.request(),
    counts() {
      const states = [...entries].map(([name, entry]) => ({
        state: dataStatusOf(name)?.rejection === undefined ? "ok" : "expired",
        rows: visibleOf(entry)?.provenance.rows,
      }));
      return { total: entries.size, withData: countWithData(states) };
    },
    async settled() {
      for (const { loading } of entries.values()) await loading.settled();
      for (const repeater of repeaters()) await repeater.settled();
    },
    async close() {
      await Promise.all(repeaters().map((repeater) => repeater.close()));
    },
    ...reader,
    follow(dataset, load) {
      const entry = entries.get(dataset.name);
      if (entry === undefined) throw new Error(`${dataset.name} is not among the served datasets`);
      const follower = repeater(
        async () => {
          const visible = visibleOf(entry);
          if (visible === undefined) return;
          await load(visible.provenance);
          moved(dataset.name);
        },
        { what: `${dataset.name} cannot be followed`, log },
      );
      entry.followers.push(follower);
      follower.request();
    },
  };

  function makeEntry(terms: StoredTerms): Entry {
    const entry: Entry = {
      terms,
      loading: repeater(() => load(entry), { what: `${terms.name} cannot be loaded`, log }),
      followers: [],
    };
    return entry;
  }

  async function load(entry: Entry): Promise<void> {
    const stored = await loadStored(database.kysely, entry.terms);
    if (!stored) return;
    entry.stored = stored;
    moved(entry.terms.name);
    for (const follower of entry.followers) follower.request();
  }

  function visibleOf(entry: Entry | undefined): Stored | undefined {
    return entry?.stored && !isHidden(entry.stored) ? entry.stored : undefined;
  }
}

import {
  type DescMessage,
  fromJson,
  isMessage,
  type JsonValue,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { sql } from "kysely";
import { noteGeneration, noteStanding, type Standing } from "../../contract/standing.ts";
import { NothingToServe } from "../../errors.ts";
import type { Database } from "../database.ts";
import { type AgeTerms, type Reading, readingOf, standingAt, standingWithInputs } from "./dataset-age.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { type Repeater, repeater } from "./repeater.ts";
import type { Served, Taking, Visible } from "./served.ts";

/** The datasets in this process's memory. */
export interface ServedDatasets extends Served {
  /** To be called when a generation moves; names of other things are ignored. */
  readonly changed: (name: string) => void;
  /** Names of the datasets of which there are samples that live mode does not serve. */
  readonly hidden: () => readonly string[];
  /** Resolves when everything that moved so far was loaded and followed, or that was tried. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What is served and who is told. */
export interface ServedOptions {
  readonly datasets: readonly (AgeTerms & { readonly message?: DescMessage })[];
  /** Live mode serves what was read live; sample mode serves either. */
  readonly data: "live" | "sample";
  readonly clock: () => Date;
  /** Called when a dataset's answers change: after it was loaded, and after each of its followers is through. */
  readonly moved: (name: string) => void;
  readonly log: (message: string) => void;
}

interface Entry {
  readonly terms: AgeTerms;
  readonly message: DescMessage | undefined;
  readonly loading: Repeater;
  readonly followers: Repeater[];
  stored?: Stored;
}

interface Stored extends Visible {
  readonly reading: Reading;
}

/** Serves datasets from memory; the database is only read when a generation moves. */
export function serveDatasets(database: Database, options: ServedOptions): ServedDatasets {
  const { datasets, data, clock, moved, log } = options;
  const entries = new Map(datasets.map((dataset) => [dataset.name, makeEntry(dataset)]));
  const repeaters = () => [...entries.values()].flatMap(({ loading, followers }) => [loading, ...followers]);
  const isHidden = ({ provenance }: Stored) => data === "live" && provenance.origin === "sample";

  return {
    changed: (name) => entries.get(name)?.loading.request(),
    hidden: () => [...entries].flatMap(([name, { stored }]) => (stored && isHidden(stored) ? [name] : [])),
    async settled() {
      for (const { loading } of entries.values()) await loading.settled();
      for (const repeater of repeaters()) await repeater.settled();
    },
    async close() {
      await Promise.all(repeaters().map((repeater) => repeater.close()));
    },
    dataset: ({ name }, context, taking) => take(name, context, taking).provenance,
    datasetIfAny: ({ name }, context, taking) => takeIfAny(name, context, taking)?.provenance,
    message(dataset, context) {
      const message = messageOf(take(dataset.name, context), dataset.message);
      if (!message) throw new NothingToServe(notLoaded(dataset.name));
      return message;
    },
    messageIfAny(dataset, context, taking) {
      const stored = takeIfAny(dataset.name, context, taking);
      return stored && messageOf(stored, dataset.message);
    },
    visible: ({ name }) => visibleOf(entries.get(name)),
    mayServe({ name }, readAt, context) {
      const entry = entries.get(name);
      if (!entry) throw new Error(`${name} is not among the served datasets`);
      const { refusal, ...standing } = standingAt(entry.terms, { readAt, missing: [] }, clock());
      if (refusal === undefined) noteStanding(context, standing);
      return refusal === undefined;
    },
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

  function makeEntry({ message, ...terms }: ServedOptions["datasets"][number]): Entry {
    const entry: Entry = {
      terms,
      message,
      loading: repeater(() => load(entry), { what: `${terms.name} cannot be loaded`, log }),
      followers: [],
    };
    return entry;
  }

  /** All of it comes from one statement, so it belongs together. */
  async function load(entry: Entry): Promise<void> {
    const { name } = entry.terms;
    const row = await storedRow(database, name, entry.message?.typeName ?? "");
    if (row === undefined) return;
    const { origin, stored_at: storedAt, rows, body } = row;
    const fetchedAt = new Map(row.answers.map(({ source, at }) => [source, new Date(at)]));
    const reading = readingOf(entry.terms, fetchedAt, storedAt);
    const { readAt } = reading;
    const provenance = Object.freeze({ name, generation: Number(row.generation), origin, storedAt, readAt, rows });
    entry.stored = { provenance, reading, message: entry.message && body ? decode(entry.message, body) : undefined };
    moved(name);
    for (const follower of entry.followers) follower.request();
  }

  function visibleOf(entry: Entry | undefined): Stored | undefined {
    return entry?.stored && !isHidden(entry.stored) ? entry.stored : undefined;
  }

  function standingOf(name: string): Standing | undefined {
    const entry = entries.get(name);
    if (!entry) return undefined;
    return standingWithInputs(entry.terms, {
      datasetOf: (input) => entries.get(input)?.terms,
      readingOf: (terms) => visibleOf(entries.get(terms.name))?.reading,
      now: clock(),
    });
  }

  function take(name: string, context: HandlerContext, taking?: Taking): Stored {
    const stored = takeIfAny(name, context, taking);
    if (!stored) throw new NothingToServe(standingOf(name)?.refusal ?? notLoaded(name));
    return stored;
  }

  function takeIfAny(name: string, context: HandlerContext, { flagged }: Taking = {}): Stored | undefined {
    const standing = standingOf(name);
    const stored = visibleOf(entries.get(name));
    noteStanding(context, standing ?? nothingOf(name));
    if (!standing || !stored) return undefined;
    const isTaken =
      standing.refusal === undefined ||
      flagged === "incomplete" ||
      (flagged === "old" && standing.missing.length === 0);
    if (!isTaken) return undefined;
    noteGeneration(context, name, stored.provenance.generation);
    if (stored.provenance.origin === "sample") context.responseHeader.set("X-Data-Origin", "sample");
    return stored;
  }
}

/** How stands what was never loaded. */
function nothingOf(name: string): Standing {
  return { staleForMs: 0, freshForMs: 0, servableForMs: 0, missing: [], refusal: notLoaded(name) };
}

function storedRow(database: Database, name: string, type: string) {
  return database.kysely
    .selectFrom("dataset")
    .leftJoin("snapshot", (join) => join.on("snapshot.type", "=", type).on("snapshot.part", "=", ""))
    .selectAll("dataset")
    .select("snapshot.body")
    .select(
      sql<readonly { readonly source: string; readonly at: string }[]>`(
        select coalesce(json_agg(json_build_object('source', source, 'at', fetched_at)), '[]') from source
        where source.dataset = dataset.name and good_origin = dataset.origin and fetched_at is not null)`.as("answers"),
    )
    .where("dataset.name", "=", name)
    .executeTakeFirst();
}

function messageOf<M extends DescMessage>({ message }: Stored, schema: M): MessageShape<M> | undefined {
  return isMessage(message, schema) ? message : undefined;
}

/** A newer program may have stored fields that this one does not know. */
function decode(schema: DescMessage, body: JsonValue): Message {
  const message = fromJson(schema, body, { ignoreUnknownFields: true });
  deepFreeze(message);
  return message;
}

function notLoaded(name: string): string {
  return `${name} was never loaded`;
}

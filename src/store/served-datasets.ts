import { type DescMessage, fromJson, isMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { Unavailable } from "../errors.ts";
import type { Database } from "./database.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { type Repeater, repeater } from "./repeater.ts";
import type { Provenance, Served } from "./served.ts";

/** The datasets in this process's memory. */
export interface ServedDatasets extends Served {
  /** To be called when a generation moves; names of other things are ignored. */
  readonly changed: (name: string) => void;
  /** Resolves when everything that moved so far was loaded and followed, or that was tried. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What is served and who is told. */
export interface ServedOptions {
  readonly datasets: readonly { readonly name: string; readonly message?: DescMessage }[];
  /** Called when a dataset's answers change: after it was loaded, and after each of its followers is through. */
  readonly moved: (name: string) => void;
  readonly log: (message: string) => void;
}

interface Entry {
  readonly message: DescMessage | undefined;
  readonly loading: Repeater;
  readonly followers: Repeater[];
  visible?: { readonly provenance: Provenance; readonly message: Message | undefined };
}

/** Serves datasets from memory; the database is only read when a generation moves. */
export function serveDatasets(database: Database, options: ServedOptions): ServedDatasets {
  const { datasets, moved, log } = options;
  const entries = new Map(datasets.map(({ name, message }) => [name, makeEntry(name, message)]));
  const repeaters = () => [...entries.values()].flatMap(({ loading, followers }) => [loading, ...followers]);

  return {
    changed: (name) => entries.get(name)?.loading.request(),
    async settled() {
      for (const { loading } of entries.values()) await loading.settled();
      for (const repeater of repeaters()) await repeater.settled();
    },
    async close() {
      await Promise.all(repeaters().map((repeater) => repeater.close()));
    },
    dataset: (dataset, context) => find(dataset.name, context).provenance,
    datasetIfAny: (dataset, context) => (isVisible(dataset) ? find(dataset.name, context).provenance : undefined),
    message,
    messageIfAny: (dataset, context) => (isVisible(dataset) ? message(dataset, context) : undefined),
    follow(dataset, load) {
      const entry = entries.get(dataset.name);
      if (entry === undefined) throw new Error(`${dataset.name} is not among the served datasets`);
      const follower = repeater(
        async () => {
          if (entry.visible === undefined) return;
          await load(entry.visible.provenance);
          moved(dataset.name);
        },
        { what: `${dataset.name} cannot be followed`, log },
      );
      entry.followers.push(follower);
      follower.request();
    },
  };

  function makeEntry(name: string, message: DescMessage | undefined): Entry {
    const entry: Entry = {
      message,
      loading: repeater(() => load(name, entry), { what: `${name} cannot be loaded`, log }),
      followers: [],
    };
    return entry;
  }

  /** Provenance and message come from one statement, so they belong together. */
  async function load(name: string, entry: Entry): Promise<void> {
    const row = await database.kysely
      .selectFrom("dataset")
      .leftJoin("snapshot", (join) =>
        join.on("snapshot.type", "=", entry.message?.typeName ?? "").on("snapshot.part", "=", ""),
      )
      .selectAll("dataset")
      .select("snapshot.body")
      .where("dataset.name", "=", name)
      .executeTakeFirst();
    if (row === undefined) return;
    const { origin, stored_at: storedAt, rows } = row;
    const provenance = Object.freeze({ name, generation: Number(row.generation), origin, storedAt, rows });
    entry.visible = { provenance, message: entry.message && row.body ? decode(entry.message, row.body) : undefined };
    moved(name);
    for (const follower of entry.followers) follower.request();
  }

  function message<M extends DescMessage>(dataset: { name: string; message: M }, context: HandlerContext) {
    const { message } = find(dataset.name, context);
    if (!isMessage(message, dataset.message)) throw notLoaded(dataset.name);
    return message;
  }

  function isVisible({ name }: { readonly name: string }): boolean {
    return entries.get(name)?.visible !== undefined;
  }

  function find(name: string, context: HandlerContext): NonNullable<Entry["visible"]> {
    const visible = entries.get(name)?.visible;
    if (visible === undefined) throw notLoaded(name);
    if (visible.provenance.origin === "sample") context.responseHeader.set("X-Data-Origin", "sample");
    return visible;
  }
}

/** A newer program may have stored fields that this one does not know. */
function decode(schema: DescMessage, body: JsonValue): Message {
  const message = fromJson(schema, body, { ignoreUnknownFields: true });
  deepFreeze(message);
  return message;
}

function notLoaded(name: string): Unavailable {
  return new Unavailable(`${name} was never loaded`);
}

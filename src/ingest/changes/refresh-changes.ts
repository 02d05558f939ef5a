import type { DescMessage } from "@bufbuild/protobuf";
import type { Transaction } from "kysely";
import type { Place } from "../../contract/columns.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { forgetSamples, logChanges, type NewChange } from "../../store/changes/change-log.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { Dataset, Refresh } from "../dataset.ts";
import { storedMessage } from "../snapshot.ts";
import { deleteBaselines, RowComparison, type StoredPair } from "./comparable-rows.ts";
import { featureRows, subjectOf, type Withheld, withheldTest } from "./feature-rows.ts";
import { type FollowedTable, followedTables } from "./followed-tables.ts";
import { type AnyRowFeatures, closeNotes, type NoteRows, openNotes, touchedRows } from "./row-features.ts";
import { followedShape, type ShownAs } from "./shown-as.ts";

/** If a refresh has more changes, they are logged as one change: the rows were replaced. */
const maxChanges = 10_000;

export interface RefreshChanges {
  /** Notes changed rows, for a dataset with its own tables. Absent if the dataset is not followed. */
  readonly noteRows?: NoteRows;
  /** Compares the rows and logs the changes, as the last step of the transaction. */
  readonly log: () => Promise<void>;
}

type Followed<D extends DescMessage> = Dataset<D> & { readonly message?: DescMessage };

const nothing: RefreshChanges = { log: async () => {} };

/** The first load of a dataset and a change of origin change every row, so they are logged as one entry. */
export async function followChanges<D extends DescMessage>(
  transaction: Transaction<StoreTables>,
  dataset: Followed<D>,
  {
    bySource,
    origin,
    now,
    storedOrigin,
  }: Pick<Refresh<D>, "bySource" | "origin" | "now"> & {
    readonly storedOrigin: "live" | "sample" | undefined;
  },
): Promise<RefreshChanges> {
  const withheld = withheldOf(dataset, origin, bySource);
  const tables = followedTables(dataset).map((followed) => ({
    followed,
    isWithheld: withheldTest(followed, withheld),
  }));
  // The history of samples is deleted as soon as live data is stored.
  if (storedOrigin === "sample" && origin === "live") await forgetSamples(transaction, dataset.name);
  if (tables.length === 0) return nothing;
  const occasion = { dataset: dataset.name, origin, at: now };
  const log = (changes: readonly NewChange[] | undefined) =>
    logChanges(transaction, occasion, changes ?? [{ kind: "replaced" }]);
  const { message, shows, features } = dataset;
  if (storedOrigin !== origin) {
    await deleteBaselines(transaction, dataset.name);
    return { log: () => log(undefined) };
  }
  const comparison = new RowComparison(dataset);
  const logCompared = async (changes: readonly NewChange[] | undefined) =>
    log(changes && [...(await comparison.finish(transaction, now)), ...changes]);
  if (features) {
    const noteRows = await openNotes(transaction);
    return {
      noteRows,
      async log() {
        const [table] = tables;
        const changes = table && (await rowChanges(transaction, features, table, comparison));
        await closeNotes(transaction);
        await logCompared(changes);
      },
    };
  }
  if (!message) return nothing;
  const stored = { message, shows };
  const before = await plainMessage(transaction, stored);
  return {
    async log() {
      const after = await plainMessage(transaction, stored);
      await logCompared(before && after && messageChanges(tables, { before, after }, comparison));
    },
  };
}

interface FollowedRows {
  readonly followed: FollowedTable;
  readonly isWithheld: (place: Place) => boolean;
}

/** Returns undefined if there are too many changes. */
function messageChanges(
  tables: readonly FollowedRows[],
  stored: StoredPair,
  comparison: RowComparison,
): readonly NewChange[] | undefined {
  const changes: NewChange[] = [];
  for (const table of tables) {
    const { followed } = table;
    const [earlier, later] = [featureRows(followed, stored.before), featureRows(followed, stored.after)];
    for (const subject of new Set([...later.keys(), ...earlier.keys()])) {
      const pair = { followed, subject, ...visible(table, earlier.get(subject), later.get(subject)) };
      const change = comparison.changeOf(pair, stored);
      if (change) changes.push(change);
      if (changes.length > maxChanges) return undefined;
    }
  }
  return changes;
}

/** Returns both sides of a row without withheld ones. A row with only one such side is reported as added or removed. */
function visible({ isWithheld }: FollowedRows, before: Place | undefined, after: Place | undefined) {
  return {
    before: before && isWithheld(before) ? undefined : before,
    after: after && isWithheld(after) ? undefined : after,
  };
}

async function rowChanges(
  transaction: Transaction<StoreTables>,
  features: AnyRowFeatures,
  table: FollowedRows,
  comparison: RowComparison,
): Promise<readonly NewChange[] | undefined> {
  const placeOf = (row: JsonObject | null): Place | undefined =>
    row ? { request: {}, response: {}, parents: [], row: features.plainRow(row) } : undefined;
  const changes: NewChange[] = [];
  for await (const rows of touchedRows(transaction, features))
    for (const row of rows) {
      const [before, after] = [placeOf(row.before), placeOf(row.after)];
      const place = after ?? before;
      if (!place) continue;
      const { followed } = table;
      const pair = { followed, subject: subjectOf(followed, place), ...visible(table, before, after) };
      const change = comparison.changeOf(pair);
      if (change) changes.push(change);
      if (changes.length > maxChanges) return undefined;
    }
  return changes;
}

/** Returns undefined if there is no message, or if an older program stored one that this program cannot read. */
async function plainMessage(
  transaction: Transaction<StoreTables>,
  cached: { readonly message: DescMessage; readonly shows: ShownAs | undefined },
): Promise<JsonObject | undefined> {
  const stored = await storedMessage(transaction, cached.message);
  return stored && followedShape(cached, stored);
}

function withheldOf<D extends DescMessage>(
  { sources }: Pick<Dataset<D>, "sources">,
  origin: "live" | "sample",
  bySource: Refresh<D>["bySource"],
): Withheld {
  if (origin === "sample") return { sources: new Set(), parts: new Set() };
  const responded = sources.filter(({ name }) => bySource.has(name));
  return {
    sources: new Set(responded.filter(({ license }) => license.kind === "restricted").map(({ name }) => name)),
    parts: new Set(responded.flatMap(({ withheldParts = [] }) => withheldParts)),
  };
}

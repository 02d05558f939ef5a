import type { DescMessage } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Place } from "../../contract/columns.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { forgetSamples, logChanges, type NewChange } from "../../store/changes/change-log.ts";
import { cursorRows } from "../../store/history/rows-in-chunks.ts";
import { forgetSamples as forgetSamplePoints, keysOf, retainPoints } from "../../store/history/series-points.ts";
import type { Transaction } from "../../store/tables.ts";
import {
  type AnyRowFeatures,
  type FollowedTable,
  featureRows,
  followedShape,
  followedTables,
  type NoteRows,
  type ShownAs,
  subjectOf,
} from "../changes/followed-tables.ts";
import { deleteBaselines, RowComparison, type StoredPair } from "../changes/row-comparison.ts";
import type { Dataset, Refresh } from "../dataset.ts";
import type { DatasetSeries, SeriesPoint } from "../series/dataset-series.ts";
import { sourcesOf } from "../series/series.ts";
import { storedMessage } from "../snapshot.ts";

/** If a refresh changes more rows than this, the change log gets one entry which says that the rows were replaced. */
const maxChanges = 10_000;

export interface RefreshChanges {
  /** Records rows before they change, for a dataset with its own tables. Absent if its changes are not followed. */
  readonly noteRows?: NoteRows;
  /** Compares the rows before and after the refresh and logs the changes, at the end of the transaction. */
  readonly log: () => Promise<void>;
}

type Followed<D extends DescMessage> = Dataset<D> & { readonly message?: DescMessage };

const nothing: RefreshChanges = { log: async () => {} };

/**
 * Prepares the change log of a refresh. A first load changes every row, and so does a switch between samples and live
 * data. In these cases, the log gets one entry.
 */
export async function followChanges<D extends DescMessage>(
  transaction: Transaction,
  dataset: Followed<D>,
  rows: Pick<Refresh<D>, "bySource" | "origin" | "now">,
  storedOrigin: "live" | "sample" | undefined,
): Promise<RefreshChanges> {
  const { origin, now } = rows;
  const isWithheld = withheldTests(dataset, rows);
  const tables = followedTables(dataset).map((followed) => ({ followed, isWithheld: isWithheld(followed) }));
  // As soon as live data is stored, the change log of samples is deleted.
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

/** Compares two stored messages. Returns undefined if more rows changed than the change log accepts. */
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

/** Removes the earlier or later state of a row if it must not be redistributed. The row counts as added or removed. */
function visible({ isWithheld }: FollowedRows, before: Place | undefined, after: Place | undefined) {
  return {
    before: before && isWithheld(before) ? undefined : before,
    after: after && isWithheld(after) ? undefined : after,
  };
}

async function rowChanges(
  transaction: Transaction,
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

interface TouchedRow {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** Creates the temporary table for earlier states of changed rows. Postgres drops it at the end of the transaction. */
async function openNotes(transaction: Transaction): Promise<NoteRows> {
  await closeNotes(transaction);
  await sql`
    create temporary table change_before (subject text collate "C" primary key, before jsonb) on commit drop`.execute(
    transaction,
  );
  return async (rows) => {
    await sql`insert into change_before (subject, before) ${rows} on conflict do nothing`.execute(transaction);
  };
}

async function closeNotes(transaction: Transaction): Promise<void> {
  await sql`drop table if exists pg_temp.change_before`.execute(transaction);
}

function touchedRows(
  transaction: Transaction,
  { subject, compared }: AnyRowFeatures,
): AsyncIterable<readonly TouchedRow[]> {
  const now = compared(sql`${subject} = change_before.subject`);
  return cursorRows<TouchedRow>(
    transaction,
    sql`
      select before, after from change_before left join lateral (${now}) as now (after) on true
      where before is distinct from after order by subject`,
  );
}

/** Returns the stored message as JSON; undefined if none is stored or this version of the program cannot read it. */
async function plainMessage(
  transaction: Transaction,
  cached: { readonly message: DescMessage; readonly shows: ShownAs | undefined },
): Promise<JsonObject | undefined> {
  const stored = await storedMessage(transaction, cached.message);
  return stored && followedShape(cached, stored);
}

/** Returns a test for rows that must not be redistributed. If a source forbids it, rows without a source match too. */
function withheldTests<D extends DescMessage>(
  dataset: Pick<Dataset<D>, "sources">,
  { origin, bySource }: Pick<Refresh<D>, "origin" | "bySource">,
): (followed: FollowedTable) => FollowedRows["isWithheld"] {
  const responded = origin === "sample" ? [] : dataset.sources.filter(({ name }) => bySource.has(name));
  const sources = new Set(responded.filter(({ license }) => license.kind === "restricted").map(({ name }) => name));
  const parts = new Set(responded.flatMap(({ withheldParts = [] }) => withheldParts));
  return ({ table: { columns } }) => {
    const naming = columns.filter(({ role }) => role === Role.SOURCE);
    const ids = columns.filter(({ role }) => role === Role.ID);
    if (sources.size > 0 && naming.length === 0) return () => true;
    return (place) =>
      naming.some(({ read }) => sources.has(String(read(place)))) ||
      ids.some(({ read }) => parts.has(String(read(place))));
  };
}

export async function retainSeries(
  transaction: Transaction,
  { series: all, read, absentIsZero }: DatasetSeries,
  { origin, bySource }: Pick<Refresh<DescMessage>, "origin" | "bySource">,
  now: Date,
): Promise<void> {
  // Points of samples are invented, so they must not precede points of live data.
  if (origin === "live")
    await forgetSamplePoints(
      transaction,
      all.map(({ id }) => id),
    );
  const known = await read(transaction, now);
  const points = absentIsZero ? [...known, ...(await zeros(transaction, known, origin))] : known;
  const reported = [...Map.groupBy(points, (point) => point.series)].flatMap(([series, own]) =>
    [...Map.groupBy(own, ({ missing = [] }) => missing.join(", "))].map(([missing, alike]) => ({
      series: series.id,
      origin,
      basis: {
        methodology: series.methodology,
        sources: [...sourcesOf(series, [...bySource.keys()]), ...(missing === "" ? [] : [`without ${missing}`])].join(
          ", ",
        ),
      },
      areSampled: series.step === "refresh",
      points: alike.map(({ key, at, value }) => ({ key, at, value })),
    })),
  );
  await retainPoints(transaction, reported, now);
}

async function zeros(
  transaction: Transaction,
  points: readonly SeriesPoint[],
  origin: "live" | "sample",
): Promise<SeriesPoint[]> {
  const added: SeriesPoint[] = [];
  for (const [series, own] of Map.groupBy(points, (point) => point.series)) {
    const counted = new Set(own.map(({ key }) => key));
    const days = [...new Set(own.map(({ at }) => at.getTime()))];
    for (const key of await keysOf(transaction, { series: series.id, origin }))
      if (!counted.has(key)) added.push(...days.map((day) => ({ series, key, at: new Date(day), value: 0 })));
  }
  return added;
}

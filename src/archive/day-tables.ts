import { type RawBuilder, sql } from "kysely";
import { Role, TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { CellType, Column, Place } from "../contract/columns.ts";
import { isObject, type JsonObject } from "../contract/request/body.ts";
import type { Table } from "../contract/tables.ts";
import { type FollowedTable, followedShape, followedTables } from "../ingest/changes/followed-tables.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import type { Past } from "../store/history/past.ts";
import { rowsInChunks } from "../store/history/rows-in-chunks.ts";
import type { Transaction } from "../store/tables.ts";

export interface DayTable {
  readonly table: Table;
  /** Yields the rows in batches. Their order is the same in every run. */
  readonly rows: () => AsyncIterable<readonly Place[]>;
}

/**
 * Returns the tables of a dataset as the contract describes them. If the dataset has one response per request, the
 * contract has no tables for it, so the tables of the store are returned. Datasets whose messages contain no table have
 * none.
 */
export async function dayTables(dataset: ScheduledDataset, { database, served }: Past): Promise<readonly DayTable[]> {
  const { features, message, shows, storedTables = [] } = dataset;
  const followed = followedTables(dataset);
  if (features)
    return followed.map(({ table }) => ({
      table,
      async *rows() {
        const query = sql`
          select row from (${features.visible(sql`true`)}) as visible (row) order by row::text collate "C"`;
        for await (const rows of rowsInChunks<{ row: JsonObject }>(database, query))
          yield rows.map(({ row }) => placeOf(features.plainRow(row)));
      },
    }));
  if (message) {
    const stored = served.visible(dataset)?.message;
    const plain = stored ? followedShape({ message, shows }, stored) : {};
    return followed.map((each) => tableOfMessage(each, plain));
  }
  return Promise.all(storedTables.map((table) => tableOfStore(database, table)));
}

function tableOfMessage({ table, responses }: FollowedTable, plain: JsonObject): DayTable {
  return {
    table,
    async *rows() {
      yield responses(plain).flatMap((response) => table.rowsIn(response, {}));
    },
  };
}

function placeOf(row: JsonObject): Place {
  return { request: {}, response: {}, parents: [], row };
}

/** Types of Postgres columns and their types in a file. Columns of any other type become text. */
const cellTypes: Readonly<Record<string, readonly [CellType, TimeEncoding?]>> = {
  boolean: ["boolean"],
  smallint: ["integer"],
  integer: ["integer"],
  bigint: ["bigint"],
  real: ["number"],
  numeric: ["number"],
  "double precision": ["number"],
  "text[]": ["list"],
  json: ["json"],
  jsonb: ["json"],
  date: ["text", TimeEncoding.DAY],
  "timestamp with time zone": ["text", TimeEncoding.RFC3339],
};

async function tableOfStore(database: Transaction, name: string): Promise<DayTable> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select attname::text as name, regexp_replace(format_type(atttypid, atttypmod), '\\(.*\\)', '') as type
    from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(
    database,
  );
  const query: RawBuilder<unknown> = sql`
    select row from (select to_jsonb(visible) as row from ${sql.table(name)} as visible) as rows order by row::text collate "C"`;
  return {
    table: {
      name,
      columns: columns.map((column) => columnOfStore(column)),
      key: [],
      rowsIn: () => [],
    },
    async *rows() {
      for await (const rows of rowsInChunks<{ row: JsonObject }>(database, query))
        yield rows.map(({ row }) => placeOf(row));
    },
  };
}

function columnOfStore({ name, type }: { readonly name: string; readonly type: string }): Column {
  const [cellType, time = TimeEncoding.UNSPECIFIED] = cellTypes[type] ?? ["text"];
  return {
    ...{ name, type: cellType, time, role: Role.UNSPECIFIED, unit: "", unitFrom: "", scale: 1 },
    read: ({ row }) => (isObject(row) ? (row[name] ?? null) : null),
  };
}

import { sql } from "kysely";
import type { Transaction } from "../tables.ts";

export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
}

interface CatalogColumn {
  readonly name: string;
  readonly type: string;
}

export interface SequenceState {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  readonly called: boolean;
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Returns the tables of the current schema, sorted by name. It omits tables of extensions, and unlogged tables, which a
 * crash may empty. Partitions belong to their table. Generated columns are computed on restore.
 */
export async function readTables(transaction: Transaction): Promise<CatalogTable[]> {
  const { rows } = await sql<CatalogTable>`
    select relname::text as name, (
      select coalesce(jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum), '[]')
      from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relpersistence <> 'u' and ${isOwn}
    order by relname`.execute(transaction);
  return rows;
}

export async function tableNames(transaction: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and ${isOwn}
    order by relname`.execute(transaction);
  return rows.map(({ name }) => name);
}

const isOwn = sql`not exists (
  select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
)`;

export async function readSequences(transaction: Transaction): Promise<SequenceState[]> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    select owner.relname::text as table, attname::text as column, sequence.relname::text as sequence
    from pg_class sequence
    join pg_depend on classid = 'pg_class'::regclass and objid = sequence.oid and deptype in ('a', 'i') and refobjsubid > 0
    join pg_class owner on owner.oid = refobjid
    join pg_attribute on attrelid = owner.oid and attnum = refobjsubid
    where sequence.relkind = 'S' and sequence.relnamespace = current_schema()::regnamespace
      and owner.relnamespace = sequence.relnamespace
    order by 1, 2`.execute(transaction);
  const states: SequenceState[] = [];
  for (const { table, column, sequence } of rows) {
    const state = await sql<{ value: string; called: boolean }>`
      select last_value::text as value, is_called as called from ${sql.table(sequence)}`.execute(transaction);
    states.push(...state.rows.map((row) => ({ table, column, ...row })));
  }
  return states;
}

export async function readForeignKeys(transaction: Transaction): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select relname::text as table, conname::text as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and relnamespace = current_schema()::regnamespace and ${isOwn}
    order by 1, 2`.execute(transaction);
  return rows;
}

/** Sets the session so that the text of a value does not depend on settings of the server or user. */
export async function usePortableTexts(transaction: Transaction): Promise<void> {
  const settings = {
    datestyle: "ISO, YMD",
    timezone: "UTC",
    intervalstyle: "postgres",
    bytea_output: "hex",
    // With this value, Postgres writes a number with as few digits as it needs to read the same number again.
    extra_float_digits: "1",
    // A backup has no timeout, because its duration depends on the size of the store.
    statement_timeout: "0",
  };
  for (const [name, value] of Object.entries(settings))
    await sql`select set_config(${name}, ${value}, true)`.execute(transaction);
}

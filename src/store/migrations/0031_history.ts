import { type Kysely, sql } from "kysely";

/** The tables whose rows are kept as they were, what identifies a row, and columns that another table tells of the time. */
const kept = [
  { table: "snapshot", key: ["type", "part"] },
  { table: "conflict_event", key: ["id"] },
  { table: "military_base", key: ["id"], told: { generation: ["generation", "military-bases"] } },
  { table: "metal_current", key: ["metal"] },
  { table: "metal_premium", key: ["metal", "methodology", "print_date"] },
  { table: "imported_product", key: ["iso2", "hs4"] },
  { table: "chokepoint_exposure", key: ["iso2", "hs2"], told: { computed_at: ["stored_at", "country-imports"] } },
  { table: "vulnerability_cohort", key: ["generated_at"] },
  { table: "supply_vulnerability", key: ["iso2", "commodity_id"] },
  { table: "trade_tariff", key: ["reporter", "year"] },
  { table: "trade_flow", key: ["reporter", "partner", "year"] },
  { table: "trade_coverage", key: ["dataset", "reporter", "partner"] },
  { table: "trade_collected_tariff", key: ["reporter"] },
] as const satisfies readonly { table: string; key: readonly string[]; told?: Told }[];

/** A column's name, to the column of `dataset` and the dataset that has its value. */
type Told = Readonly<Record<string, readonly [column: string, dataset: string]>>;

/**
 * Versions of rows, each visible from one moment until another; and a schema in which the tables' names show them as they
 * were at the moment of the setting `ids.as_of`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema if not exists ids_past`.execute(db);
  await sql`
    create table dataset_version (
      name text not null,
      generation bigint not null,
      origin text not null check (origin in ('live', 'sample')),
      stored_at timestamptz not null,
      rows integer not null,
      -- When each of its sources was read last: {"acled": "2026-03-01T12:00:00+00:00", ...}.
      read_at jsonb not null,
      valid_from timestamptz not null,
      valid_to timestamptz not null default 'infinity'
    )`.execute(db);
  await addIndexes(db, "dataset", ["name"]);
  await sql`create or replace view ids_past.dataset as
    select name, generation, origin, stored_at, rows from dataset_version where ${isVisible}`.execute(db);
  await sql`create or replace view ids_past.generation as
    select name, generation as value from dataset_version where ${isVisible}`.execute(db);
  await sql`create or replace view ids_past.source as
    select name as dataset, key as source, origin as good_origin, value::timestamptz as fetched_at
    from dataset_version, jsonb_each_text(read_at) where ${isVisible}`.execute(db);
  for (const each of kept) {
    const told: Told = "told" in each ? each.told : {};
    await addVersions(db, { ...each, told });
  }
  // Few of many: the newest of a span.
  await sql`create index conflict_event_version_occurred_at on conflict_event_version (occurred_at desc, id)`.execute(
    db,
  );
}

const at = sql`current_setting('ids.as_of')::timestamptz`;
const isVisible = sql`valid_from <= ${at} and valid_to > ${at}`;

async function addVersions(
  db: Kysely<unknown>,
  { table, key, told }: { readonly table: string; readonly key: readonly string[]; readonly told: Told },
): Promise<void> {
  const versions = sql.table(`${table}_version`);
  await sql`create table ${versions} (like ${sql.table(table)})`.execute(db);
  for (const column of Object.keys(told)) await sql`alter table ${versions} drop column ${sql.ref(column)}`.execute(db);
  await sql`
    alter table ${versions} add column valid_from timestamptz not null,
      add column valid_to timestamptz not null default 'infinity'`.execute(db);
  await addIndexes(db, table, key);
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db);
  const columns = rows.map(({ name }) => {
    const source = told[name];
    if (!source) return sql.ref(name);
    return sql`(select ${sql.ref(source[0])} from ids_past.dataset where name = ${sql.lit(source[1])}) as ${sql.ref(name)}`;
  });
  await sql`create or replace view ${sql.table(`ids_past.${table}`)} as
    select ${sql.join(columns)} from ${versions} where ${isVisible}`.execute(db);
}

/** One finds what is visible now, the other what was then. */
async function addIndexes(db: Kysely<unknown>, table: string, key: readonly string[]): Promise<void> {
  const versions = sql.table(`${table}_version`);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  await sql`create unique index ${sql.ref(`${table}_version_open`)} on ${versions} (${columns})
    where valid_to = 'infinity'`.execute(db);
  await sql`create index ${sql.ref(`${table}_version_closed`)} on ${versions} (valid_to)`.execute(db);
}

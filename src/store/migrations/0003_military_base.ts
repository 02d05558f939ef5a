import type { Kysely } from "kysely";

/** Military bases, one row a base and generation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("military_base")
    .addColumn("generation", "int8", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("latitude", "float8", (column) => column.notNull())
    .addColumn("longitude", "float8", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("country_iso2", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("tier", "int2", (column) => column.notNull())
    .addColumn("cat_airforce", "boolean", (column) => column.notNull())
    .addColumn("cat_naval", "boolean", (column) => column.notNull())
    .addColumn("cat_nuclear", "boolean", (column) => column.notNull())
    .addColumn("cat_space", "boolean", (column) => column.notNull())
    .addColumn("cat_training", "boolean", (column) => column.notNull())
    .addColumn("branch", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("military_base_pkey", ["generation", "id"])
    .execute();
}

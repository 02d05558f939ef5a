import { sql } from "kysely";
import { type Migration, ownMigrations } from "../../src/store/migrate.ts";

/** The migrations of a later program: it adds a column, and fills it in stored rows. */
export const laterMigrations: readonly Migration[] = [
  ...ownMigrations,
  {
    name: "1001_title",
    compatible: true,
    async up(transaction) {
      await sql`alter table account add column title text not null default ''`.execute(transaction);
      await sql`update account set title = upper(name)`.execute(transaction);
    },
  },
];

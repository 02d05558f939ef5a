import { sql } from "kysely";
import { readConfig } from "../../src/config/config.ts";
import { datasets } from "../../src/domains/index.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { raiseGeneration } from "../../src/store/served/generations.ts";
import { testTime } from "./app.ts";
import { openFilled } from "./databases.ts";

/** A database that holds every sample, as of the tests' time. */
export function openLoaded(): Promise<Database> {
  return openFilled("ids_loaded", async ({ kysely }) => {
    const config = readConfig({ IDS_DATA: "sample", IDS_DATA_DIR: "/nowhere" });
    const upstreams = createUpstreams(
      config,
      () => testTime,
      () => 0.5,
    );
    for (const dataset of datasets) await dataset.refresh({ database: kysely, upstreams });
  });
}

/** Labels what the samples left as if it had been read live. */
export async function relabelAsLive({ kysely, query }: Database): Promise<void> {
  const { rows } = await query(
    "select table_name as name from information_schema.columns where column_name = 'origin' and table_schema = 'public'",
  );
  for (const { name } of rows as { name: string }[]) await query(`update ${name} set origin = 'live'`);
  await kysely.transaction().execute(async (transaction) => {
    await sql`update source set good_origin = 'live'`.execute(transaction);
    for (const { name } of datasets) await raiseGeneration(transaction, name);
  });
}

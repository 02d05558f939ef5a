import { readConfig } from "../../src/config/config.ts";
import { datasets } from "../../src/domains/index.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
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

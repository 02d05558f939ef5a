// A process that refreshes every dataset from the samples over and over, naming each visible generation on stdout, until it is killed.
import { writeSync } from "node:fs";
import { readConfig } from "../../../src/config/config.ts";
import { datasets } from "../../../src/domains/index.ts";
import { createUpstreams } from "../../../src/ingest/upstreams.ts";
import { type DatabaseOptions, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { testTime } from "../app.ts";

const options: DatabaseOptions = JSON.parse(process.argv[2] ?? "");
const database = await openDatabase(options);
await migrate(database, () => new Date());
const upstreams = createUpstreams(readConfig({ IDS_DATA: "sample" }), () => testTime, Math.random);
writeSync(1, "started\n");
for (;;)
  for (const dataset of datasets) {
    const { generation } = await dataset.refresh({ database: database.kysely, upstreams });
    writeSync(1, `${dataset.name} ${generation}\n`);
  }

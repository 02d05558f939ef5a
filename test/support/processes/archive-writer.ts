// A process that archives what is missing of the samples' days, naming each day that it has written on stdout, until all are or it is killed.
import { writeSync } from "node:fs";
import { archivable, writeDays } from "../../../src/archive/archive.ts";
import { folderStore } from "../../../src/archive/open-archive.ts";
import { datasets } from "../../../src/domains/index.ts";
import { type DatabaseOptions, openDatabase } from "../../../src/store/database.ts";

const [options, folder, now]: [DatabaseOptions, string, string] = JSON.parse(process.argv[2] ?? "");
const { kysely: database, close } = await openDatabase(options);
const store = folderStore(folder);
const parts = { database, store, datasets, data: "sample", clock: () => new Date(now), program: "1.0.0" } as const;
for (const dataset of archivable(datasets))
  for await (const { day } of writeDays(dataset, {}, parts)) writeSync(1, `${dataset.name} ${day}\n`);
await close();

// A process that takes the job `lost`, says so on stdout and never ends it.
import { writeSync } from "node:fs";
import { openQueue } from "../../../src/jobs/queue.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { lostKind } from "./lost-kind.ts";

const database = await openDatabase(JSON.parse(process.argv[2] ?? ""));
const queue = await openQueue(database, { kinds: [lostKind], role: "work", log: console.error });
await queue.work(lostKind, async (_, { attempt }) => {
  writeSync(1, `attempt ${attempt}\n`);
  await new Promise(() => {});
});

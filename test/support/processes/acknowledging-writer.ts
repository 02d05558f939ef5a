// A process that writes rows one by one and names each on stdout once the database has acknowledged it, until it is killed.
import { writeSync } from "node:fs";
import { type DatabaseOptions, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";

const options: DatabaseOptions = JSON.parse(process.argv[2] ?? "");
const database = await openDatabase(options);
await migrate(database, () => new Date());
// Rows of many sizes, in transactions of several statements, so that the kill meets every state of the log.
for (let round = 0; ; round++) {
  const name = `${process.pid}-${round}`;
  await database.kysely.transaction().execute(async (transaction) => {
    await transaction.insertInto("generation").values({ name, value: round }).execute();
    await transaction
      .insertInto("snapshot")
      .values({ type: name, part: "", generation: round, body: JSON.stringify("x".repeat((round % 50) * 1000)) })
      .execute();
  });
  writeSync(1, `${name}\n`);
}

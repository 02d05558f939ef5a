// A process that serves impacts from a store, as a deployed one does; prints its address and an operator's key.
import { openDatabase } from "../../../src/store/database.ts";
import { startApp } from "../app.ts";

const database = await openDatabase({ url: process.argv[2] ?? "", directory: "/nowhere", name: "test" });
const app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "enterprise=1000000" } });
console.log(JSON.stringify({ url: app.url, operator: await app.key("operator") }));
process.once("SIGTERM", async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

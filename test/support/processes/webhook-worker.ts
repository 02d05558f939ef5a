// A process that runs the jobs on a Postgres until it is killed: node webhook-worker.ts <url> <environment as JSON>.
import { openDatabase } from "../../../src/store/database.ts";
import { startJobs } from "./job-worker.ts";

const [url = "", environment = "{}"] = process.argv.slice(2);
const database = await openDatabase({ url, directory: "/nowhere", name: "worker", log: () => undefined });
await startJobs(database, { environment: JSON.parse(environment) });
process.stdout.write("working\n");

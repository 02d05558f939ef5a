// A process that runs the jobs on a Postgres until it is killed: node webhook-worker.ts <url> <options as JSON>.
import { openDatabase } from "../../../src/store/database.ts";
import { startJobs } from "./job-worker.ts";

const [url = "", options = "{}"] = process.argv.slice(2);
const database = await openDatabase({ url, directory: "/nowhere", name: "worker", log: () => undefined });
await startJobs(database, JSON.parse(options));
process.stdout.write("working\n");

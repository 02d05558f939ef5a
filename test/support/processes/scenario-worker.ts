// A process that computes scenario jobs, with the times of its arguments, until it is killed.
import { writeSync } from "node:fs";
import { scenarioJob, scenarioJobs, scenarioSweep } from "../../../src/domains/scenario/jobs.ts";
import { registerJobs } from "../../../src/jobs/job.ts";
import { openQueue } from "../../../src/jobs/queue.ts";
import { openDatabase } from "../../../src/store/database.ts";

const { place, scenarioTimes } = JSON.parse(process.argv[2] ?? "");
const database = await openDatabase(place);
const kinds = [scenarioJob, scenarioSweep];
const queue = await openQueue(database, { kinds, role: "work", log: console.error });
const clock = () => new Date();
const parts = { database: database.kysely, clock, data: "sample" as const, send: queue.send, scenarioTimes };
await registerJobs(queue, scenarioJobs(parts));
writeSync(1, "working\n");

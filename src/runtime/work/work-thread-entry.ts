import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { provideSecrets } from "../../access/secret.ts";
import { readConfig } from "../../config/config.ts";
import { createLog, logForm } from "../../log/log.ts";
import { attachDatabase } from "../../store/database.ts";
import type { ConnectionSettings } from "../../store/pool.ts";
import { openTracing } from "../../telemetry/open-tracing.ts";
import { memoryReturn } from "./memory-return.ts";
import type { WorkThreadData } from "./work-thread.ts";
import { startWorker } from "./worker.ts";

const { environment }: WorkThreadData = workerData;

const config = readConfig(environment);
const log = createLog(config.logLevel, process.stderr, config.mask, logForm(environment, process.stderr));
const [settings]: ConnectionSettings[] = parentPort ? await once(parentPort, "message") : [];
// Without settings, the thread was only started to compile its program.
if (!settings) process.exit();
// The serving thread already logs problems of tracing as warnings.
const tracing = await openTracing(config, (message) => log.debug(message));
const database = attachDatabase(settings, { name: "ids work", log: (message) => log.warn(message), tracing });
const secrets = await provideSecrets(config, randomBytes);
const worker = await startWorker({ config, database, log, secrets, idle: memoryReturn(), tracing });

void worker.caughtUp.then(() => parentPort?.postMessage("caught up"));
parentPort?.once("message", async () => {
  await worker.close();
  await database.close();
  await tracing?.close();
  process.exit();
});

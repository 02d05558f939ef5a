import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "./app.ts";
import { type Company, type ImpactPage, importOf, monitoring } from "./domains/monitoring.ts";
import { startJobs } from "./processes/job-worker.ts";

const companies = ["Real Pumps plc", "Sea Lines plc", "Ore plc", "Grain plc", "Steel plc"];

/** A service that programs in other languages call: data for several pages of every paged read, and jobs that are run. */
export interface ClientService extends AsyncDisposable {
  readonly app: TestApp;
  /** Its address and keys, as the programs' environment has them. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function startForClients(
  database: Database,
  settings: Readonly<Record<string, string>> = {},
): Promise<ClientService> {
  const environment = { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on", ...settings };
  const jobs = await startJobs(database, { environment, clock: () => testTime });
  const app = await startApp(database, { environment });
  for (const dataset of ["internet-outages", "conflict-events", "global-tenders", "energy-crisis-policies"] as const)
    await app.refresh(dataset);
  const operator = await app.key("operator");
  return {
    app,
    environment: {
      IDS_URL: app.url,
      IDS_TIME: testTime.toISOString(),
      IDS_API_KEY: await app.key("enterprise"),
      IDS_FREE_KEY: await app.key("free"),
      IDS_EXPORT_KEY: await app.key("free"),
      IDS_FRAME_KEY: await app.key("free"),
      IDS_OPERATOR_KEY: operator,
      IDS_POLL_CURSOR: await watch(app, database, operator),
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
    },
  };
}

/** Accounts, and companies with impacts of the key's own; the cursor from which the impacts are changes. */
async function watch(app: TestApp, database: Database, key: string): Promise<string> {
  const api = monitoring(app, database);
  const { account } = (await (await app.get("/api/account/v1/get-caller", { key })).json()) as {
    account: { id: string };
  };
  for (const id of ["acme", "globex", "initech"])
    await app.get("/api/account/v1/create-account", { method: "POST", key, body: JSON.stringify({ id }) });
  const { body } = await api.post<{ companies: { company: Company }[] }>(
    "import-companies",
    importOf(...companies),
    key,
  );
  const [first] = body.companies;
  if (!first) throw new Error("No company was imported");
  const before = await api.get<ImpactPage>("list-company-event-impacts", {}, key);
  for (const _ of companies) await api.admit(account.id, first.company.companyId);
  return before.body.snapshot.pollCursor;
}

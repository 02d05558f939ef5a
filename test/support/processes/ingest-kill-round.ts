import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { catalog } from "../../../src/contract/catalog.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../../../src/store/database.ts";
import { startApp } from "../app.ts";
import { needsOwn, placedQuery } from "../needed-query.ts";

/** The state after a killed ingest. */
export interface IngestKillRound {
  /** Generations that were reported as visible. */
  readonly acknowledged: number;
  /** Everything that is not as it was promised, in words. */
  readonly faults: readonly string[];
  readonly reopenMs: number;
}

const reads = catalog
  .filter((operation) => operation.queried && !operation.access.operator && !needsOwn(operation))
  .map(placedQuery);

/** Kills an ingest with SIGKILL `afterMs` after some visible generations, then checks the database and serves it. */
export async function ingestKillRound(
  options: DatabaseOptions,
  generations: number,
  afterMs: number,
): Promise<IngestKillRound> {
  const script = fileURLToPath(new URL("./endless-ingest.ts", import.meta.url));
  const ingest = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(ingest, "exit");
  const acknowledged = new Map<string, number>();
  let lines = 0;
  for await (const line of createInterface({ input: ingest.stdout })) {
    const [name = "", generation] = line.split(" ");
    if (generation !== undefined) acknowledged.set(name, Number(generation));
    if (lines++ === generations) void wait(afterMs).then(() => ingest.kill("SIGKILL"));
  }
  await ended;

  const started = performance.now();
  const database = await openDatabase(options);
  const reopenMs = performance.now() - started;
  try {
    const faults = [...(await storedFaults(database, acknowledged)), ...(await servedFaults(database))];
    return { acknowledged: acknowledged.size, faults, reopenMs };
  } finally {
    await database.close();
  }
}

async function storedFaults({ kysely, query }: Database, acknowledged: ReadonlyMap<string, number>): Promise<string[]> {
  const faults: string[] = [];
  const stored = await kysely.selectFrom("dataset").selectAll().execute();
  const counters = new Map(
    (await kysely.selectFrom("generation").selectAll().execute()).map(({ name, value }) => [name, Number(value)]),
  );
  for (const { name, generation, rows } of stored) {
    if (counters.get(name) !== Number(generation))
      faults.push(`${name}: generation ${generation}, but its counter is at ${counters.get(name)}`);
    const dataset = datasets.find((known) => known.name === name);
    const found = dataset && (await rowsOf(dataset, Number(generation), query));
    if (found !== rows) faults.push(`${name}: generation ${generation} says ${rows} rows and has ${found}`);
  }
  for (const [name, generation] of acknowledged) {
    const visible = stored.find((row) => row.name === name);
    if (Number(visible?.generation ?? 0) < generation)
      faults.push(`${name}: generation ${generation} was acknowledged and is lost`);
  }
  return faults;
}

/** Rows of row datasets; whole snapshots count as what they say when their generation is the visible one. */
async function rowsOf(
  dataset: (typeof datasets)[number],
  generation: number,
  query: Database["query"],
): Promise<number | undefined> {
  const statements: Readonly<Partial<Record<DatasetName, string>>> = {
    "conflict-events": "select count(*) as rows from conflict_event where duplicate_of is null",
    "chokepoint-status": "select count(*) as rows from chokepoint_status",
    "country-imports": "select count(*) as rows from imported_product",
    "supply-vulnerability": "select count(*) as rows from supply_vulnerability",
    "global-tenders": "select count(*) as rows from tender where closed_at is null",
    "metal-premiums": "select count(*) as rows from metal_premium",
    "military-bases": `select count(*) as rows from military_base where generation = ${generation}`,
    "trade-tariffs": "select count(*) as rows from trade_tariff",
    "resilience-inputs": "select count(*) as rows from resilience_input",
    "trade-flows": "select count(*) as rows from trade_flow",
  };
  const ofMessage = `select rows from dataset join snapshot using (generation) where name = '${dataset.name}' and type = '${dataset.message?.typeName}'`;
  const { rows } = await query(dataset.message ? ofMessage : (statements[dataset.name] ?? ""));
  const [row] = rows as { rows: string | number }[];
  return row && Number(row.rows);
}

/** An app on the same store either serves a dataset whole or says that it was never loaded. */
async function servedFaults(database: Database): Promise<string[]> {
  await using app = await startApp(database);
  const faults: string[] = [];
  for (const path of reads) {
    const { status } = await app.get(path);
    if (status !== 200 && status !== 503) faults.push(`${path} answers ${status}`);
  }
  return faults;
}

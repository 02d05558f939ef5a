import { logWrite } from "../access/audit-log.ts";
import {
  energyCrisisPolicies,
  forgetImportedPolicies,
  importPolicies,
} from "../domains/economic/energy-policies/energy-crisis-policies.ts";
import { datasets } from "../domains/index.ts";
import { UpstreamError } from "../egress/upstream-error.ts";
import { ConfigurationError } from "../errors.ts";
import type { Progress } from "../ingest/refresh/fetch.ts";
import { type RefreshOutcome, refresh } from "../ingest/refresh/refresh.ts";
import { release, rollBack } from "../ingest/rollback.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { backfill } from "../ingest/series/backfill.ts";
import { createUpstreams } from "../ingest/upstreams.ts";
import { readTextFile } from "../reference/file-failure.ts";
import { storedGenerations } from "../store/history/generations.ts";
import type { Store, Transaction } from "../store/tables.ts";
import { checkedSpan, chosenDatasets, type DaySpan, namedDataset, sharedUpstreams } from "./dataset-parts.ts";
import { withStore, withStoreAsItIs } from "./store.ts";
import { table } from "./table.ts";
import { printJson, type Terminal, WrongCommandLine } from "./terminal.ts";

/** Refreshes datasets and shows the progress of each source. Fails if no new version of a dataset was stored. */
export async function ingest(
  terminal: Terminal,
  names: readonly string[],
  options: { readonly acceptShrunk?: boolean; readonly acceptChanged?: boolean },
): Promise<void> {
  const chosen = chosenDatasets(names);
  const failed = await withStore(terminal, "ingest", async ({ kysely: database }) => {
    const upstreams = sharedUpstreams(terminal.config(), database);
    const without: string[] = [];
    for (const [index, dataset] of chosen.entries()) {
      const startedAt = performance.now();
      const progress = display(terminal, `${index + 1}/${chosen.length} ${dataset.name}`);
      const { generation, rows, held, reason } = await dataset
        .refresh({ database, upstreams, progress, ...options })
        .then((outcome) => ({ ...outcome, reason: "no new data" }))
        .catch(unpublished);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (generation === undefined) without.push(dataset.name);
      terminal.out.write(
        held !== undefined
          ? `${dataset.name}: generation ${held} was restored and is held (release it with ids dataset release ${dataset.name})\n`
          : generation === undefined
            ? `${dataset.name}: ${reason}, ${(await isStored(database, dataset.name)) ? "the last good data remains" : "nothing was stored before"} (${seconds} s)\n`
            : `${dataset.name}: generation ${generation}, ${rows} rows (${seconds} s)\n`,
      );
    }
    return without;
  });
  if (failed.length > 0) throw new ConfigurationError(`No new data for ${failed.join(", ")}`);
}

async function isStored(database: Store, name: string): Promise<boolean> {
  const stored = await database.selectFrom("dataset").select("name").where("name", "=", name).executeTakeFirst();
  return stored !== undefined;
}

/** Converts an error of one dataset, such as too few rows, to an outcome, so that other datasets continue. */
function unpublished(error: unknown): Partial<RefreshOutcome> & { readonly reason: string } {
  if (!(error instanceof UpstreamError)) throw error;
  return { reason: error.message };
}

/** Shows the progress of sources. Without a terminal, only results are printed, and not the start of a request. */
function display({ out }: Terminal, place: string): (step: Progress) => void {
  return ({ source, step, detail }) => {
    const line = `[${place}] ${source}: ${step === "asking" ? `asking (${detail}) …` : `${step}, ${detail}`}`;
    if (out.isTTY) out.write(`\r\u001b[2K${line}${step === "asking" ? "" : "\n"}`);
    else if (step !== "asking") out.write(`${line}\n`);
  };
}

/** Adds missing older points of series. A service may be running. Fails if a named source returned no points. */
export async function backfillHistory(terminal: Terminal, names: readonly string[], days: DaySpan): Promise<void> {
  const { from, to } = checkedSpan(days);
  const all: readonly ScheduledDataset[] = datasets;
  const chosen = chosenDatasets(names, {
    able: all.filter(({ series }) => series?.backfill),
    ableText: "Datasets with a backfill",
    unableText: (name) => `${name} has no source with earlier points`,
  });
  const failed: string[] = [];
  await withStoreAsItIs(terminal, "history", async ({ kysely: database }) => {
    const upstreams = sharedUpstreams(terminal.config(), database);
    for (const dataset of chosen)
      try {
        const { received, added } = await backfill(dataset, { database, upstreams, from, to });
        terminal.out.write(`${dataset.name}: ${added} points added, of ${received} in the responses\n`);
      } catch (error) {
        const isReported = error instanceof UpstreamError || error instanceof ConfigurationError;
        if (!isReported) throw error;
        failed.push(dataset.name);
        terminal.out.write(`${dataset.name}: ${error.message}\n`);
      }
  });
  if (failed.length > 0) throw new ConfigurationError(`No earlier points for ${failed.join(", ")}`);
}

/** Lists the versions (generations) of a dataset that can be restored. */
export async function listGenerations(
  terminal: Terminal,
  name: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const { name: dataset } = namedDataset(name);
  const stored = await withStoreAsItIs(terminal, "dataset", ({ kysely }) => storedGenerations(kysely, dataset));
  if (json) return printJson(terminal, stored);
  const cells = stored.map(({ generation, origin, rows, storedAt, visibleFrom, visibleTo }) => [
    ...[String(generation), origin, String(rows), storedAt.toISOString(), visibleFrom.toISOString()],
    visibleTo?.toISOString() ?? "now",
  ]);
  terminal.out.write(table(terminal.out, ["generation", "origin", "rows", "stored", "served from", "to"], cells));
}

/** Restores an earlier version of a dataset for all processes of the service. */
export async function rollBackDataset(
  terminal: Terminal,
  name: string,
  { to, force = false }: { readonly to: string; readonly force?: boolean },
): Promise<void> {
  const dataset = namedDataset(name);
  if (!/^[1-9]\d{0,14}$/.test(to)) throw new WrongCommandLine(`--to must be the number of a generation, not ${to}`);
  const request = [{ name: "to", value: to }, ...(force ? [{ name: "force", value: "true" }] : [])];
  const generation = await audited(terminal, { operation: "roll back dataset", name, request }, (transaction, at) =>
    rollBack(transaction, dataset, { to: Number(to), at, datasets, force }),
  );
  terminal.out.write(
    `${name}: generation ${to} is served again, as generation ${generation}, until you run ids dataset release ${name}\n`,
  );
}

/** Allows refreshes to replace the version that a rollback restored. */
export async function releaseDataset(terminal: Terminal, name: string): Promise<void> {
  const dataset = namedDataset(name);
  const held = await audited(terminal, { operation: "release dataset", name, request: [] }, (transaction) =>
    release(transaction, dataset.name),
  );
  terminal.out.write(`${name}: generation ${held} is released; the next refresh replaces it\n`);
}

interface AuditedChange {
  readonly operation: string;
  /** Name of the dataset. */
  readonly name: string;
  readonly request: readonly { readonly name: string; readonly value: string }[];
}

/** Changes a dataset and logs the change in the audit log, in one transaction. */
function audited<T>(
  terminal: Terminal,
  { operation, name, request }: AuditedChange,
  change: (transaction: Transaction, at: Date) => Promise<T>,
): Promise<T> {
  const at = new Date();
  const details = [{ name: "dataset", value: name }, ...request];
  return withStoreAsItIs(terminal, "dataset", ({ kysely }) =>
    kysely.transaction().execute(async (transaction) => {
      const outcome = await change(transaction, at);
      await logWrite(transaction, { at, actor: "cli", account: "", operation, request: details });
      return outcome;
    }),
  );
}

/** Stores the operator's list of energy-crisis policies and publishes it. */
export async function importPolicyFile(
  terminal: Terminal,
  file: string,
  { source, sourceUrl = "" }: { readonly source: string; readonly sourceUrl?: string },
): Promise<void> {
  const text = await readTextFile(file);
  await withStore(terminal, "policies", async ({ kysely }) => {
    const rows = await importPolicies(kysely, text, { source, sourceUrl });
    terminal.out.write(`${rows} policies imported from ${file}; ${await makeVisible(terminal, kysely)}\n`);
  });
}

/** Deletes the operator's list, so that the service shows its built-in list again. */
export async function dropPolicies(terminal: Terminal): Promise<void> {
  await withStore(terminal, "policies", async ({ kysely }) => {
    const dropped = (await forgetImportedPolicies(kysely)) ? "The imported list was removed" : "No list was imported";
    terminal.out.write(`${dropped}; ${await makeVisible(terminal, kysely)}\n`);
  });
}

async function makeVisible(terminal: Terminal, database: Store): Promise<string> {
  const upstreams = createUpstreams(terminal.config(), () => new Date(), Math.random);
  const { generation, rows } = await refresh(energyCrisisPolicies, { database, upstreams });
  return generation === undefined
    ? "the next refresh publishes the change"
    : `generation ${generation} with ${rows} policies is published`;
}

import type { Kysely } from "kysely";
import { datasets } from "../../../domains/index.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { ConfigurationError } from "../../../errors.ts";
import type { RefreshOutcome } from "../../../ingest/refresh/refresh.ts";
import type { Progress } from "../../../ingest/refresh/refresh-parts.ts";
import { storedBudget } from "../../../ingest/request-budget.ts";
import { storedRests } from "../../../ingest/stored-rests.ts";
import { createUpstreams } from "../../../ingest/upstreams.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { withStore } from "../../store.ts";
import type { Terminal } from "../../terminal.ts";
import { WrongCommandLine } from "../../wrong-command-line.ts";

/** Refreshes datasets now and shows the progress of each source. Fails if a dataset got no new generation. */
export async function ingest(
  terminal: Terminal,
  names: readonly string[],
  options: { readonly acceptShrunk?: boolean; readonly acceptChanged?: boolean },
): Promise<void> {
  const chosen = names.length === 0 ? datasets : names.map(byName);
  const failed = await withStore(terminal, "ingest", async ({ kysely: database }) => {
    const outside = { takeRequest: storedBudget(database), rests: storedRests(database) };
    const upstreams = createUpstreams(terminal.config(), () => new Date(), Math.random, outside);
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

async function isStored(database: Kysely<StoreTables>, name: string): Promise<boolean> {
  const stored = await database.selectFrom("dataset").select("name").where("name", "=", name).executeTakeFirst();
  return stored !== undefined;
}

/** The rows cannot be published, for example because they cover too little. Other datasets continue. */
function unpublished(error: unknown): Partial<RefreshOutcome> & { readonly reason: string } {
  if (!(error instanceof UpstreamError)) throw error;
  return { reason: error.message };
}

function byName(name: string) {
  const dataset = datasets.find((candidate) => candidate.name === name);
  if (!dataset)
    throw new WrongCommandLine(
      `Unknown dataset ${name}. Known datasets: ${datasets.map((known) => known.name).join(", ")}`,
    );
  return dataset;
}

/** On a terminal, one line that changes. Otherwise, one line per step. */
function display({ out }: Terminal, place: string): (step: Progress) => void {
  return ({ source, step, detail }) => {
    const line = `[${place}] ${source}: ${step === "asking" ? `asking (${detail}) …` : `${step}, ${detail}`}`;
    if (out.isTTY) out.write(`\r\u001b[2K${line}${step === "asking" ? "" : "\n"}`);
    else if (step !== "asking") out.write(`${line}\n`);
  };
}

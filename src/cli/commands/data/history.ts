import { datasets } from "../../../domains/index.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { ConfigurationError } from "../../../errors.ts";
import { storedBudget } from "../../../ingest/request-budget.ts";
import type { ScheduledDataset } from "../../../ingest/schedule/scheduled.ts";
import { backfill } from "../../../ingest/series/backfill.ts";
import { storedRests } from "../../../ingest/stored-rests.ts";
import { createUpstreams } from "../../../ingest/upstreams.ts";
import { checkedSpan, type DaySpan } from "../../day-span.ts";
import { openStoreAsItIs } from "../../store.ts";
import type { Terminal } from "../../terminal.ts";
import { WrongCommandLine } from "../../wrong-command-line.ts";

/** Stores missing earlier points of series, also while a service is running. Fails if a named source returned none. */
export async function backfillHistory(terminal: Terminal, names: readonly string[], days: DaySpan): Promise<void> {
  const { from, to } = checkedSpan(days);
  const chosen = chosenFrom(names);
  await using stack = new AsyncDisposableStack();
  const config = terminal.config();
  const log = (message: string) => void terminal.err.write(`${message}\n`);
  const { kysely: database } = await openStoreAsItIs(stack, config, "history", log);
  const outside = { takeRequest: storedBudget(database), rests: storedRests(database) };
  const upstreams = createUpstreams(config, () => new Date(), Math.random, outside);
  const failed: string[] = [];
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
  if (failed.length > 0) throw new ConfigurationError(`No earlier points for ${failed.join(", ")}`);
}

function chosenFrom(names: readonly string[]): readonly ScheduledDataset[] {
  const all: readonly ScheduledDataset[] = datasets;
  const able = all.filter(({ series }) => series?.backfill);
  if (names.length === 0) return able;
  return names.map((name) => {
    const dataset = able.find((each) => each.name === name);
    if (dataset) return dataset;
    throw new WrongCommandLine(
      all.some((each) => each.name === name)
        ? `${name} has no source with earlier points. Use one of: ${able.map((each) => each.name).join(", ")}`
        : `Unknown dataset ${name}. Datasets with a backfill: ${able.map((each) => each.name).join(", ")}`,
    );
  });
}

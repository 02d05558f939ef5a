import { logWrite } from "../../../access/audit-log.ts";
import { datasets } from "../../../domains/index.ts";
import { release, rollBack } from "../../../ingest/rollback.ts";
import type { ScheduledDataset } from "../../../ingest/schedule/scheduled.ts";
import type { Database } from "../../../store/database.ts";
import { storedGenerations } from "../../../store/history/generations.ts";
import { openStoreAsItIs } from "../../store.ts";
import { table } from "../../table.ts";
import type { Terminal } from "../../terminal.ts";
import { WrongCommandLine } from "../../wrong-command-line.ts";
import type { Output } from "../keys.ts";

export async function listGenerations(terminal: Terminal, name: string, { json }: Output): Promise<void> {
  const { name: dataset } = byName(name);
  const stored = await withStoreAsItIs(terminal, ({ kysely }) => storedGenerations(kysely, dataset));
  if (json) {
    terminal.out.write(`${JSON.stringify(stored, null, 2)}\n`);
    return;
  }
  const cells = stored.map(({ generation, origin, rows, storedAt, visibleFrom, visibleTo }) => [
    ...[String(generation), origin, String(rows), storedAt.toISOString(), visibleFrom.toISOString()],
    visibleTo?.toISOString() ?? "now",
  ]);
  terminal.out.write(table(terminal.out, ["generation", "origin", "rows", "stored", "served from", "to"], cells));
}

export async function rollBackDataset(
  terminal: Terminal,
  name: string,
  { to, force = false }: { readonly to: string; readonly force?: boolean },
): Promise<void> {
  const dataset = byName(name);
  if (!/^[1-9]\d{0,14}$/.test(to)) throw new WrongCommandLine(`--to must be the number of a generation, not ${to}`);
  const at = new Date();
  const generation = await withStoreAsItIs(terminal, ({ kysely }) =>
    kysely.transaction().execute(async (transaction) => {
      const made = await rollBack(transaction, dataset, { to: Number(to), at, datasets, force });
      const request = [
        { name: "dataset", value: name },
        { name: "to", value: to },
        ...(force ? [{ name: "force", value: "true" }] : []),
      ];
      await logWrite(transaction, { at, actor: "cli", account: "", operation: "roll back dataset", request });
      return made;
    }),
  );
  terminal.out.write(
    `${name}: generation ${to} is served again, as generation ${generation}, until you run ids dataset release ${name}\n`,
  );
}

export async function releaseDataset(terminal: Terminal, name: string): Promise<void> {
  const dataset = byName(name);
  const at = new Date();
  const held = await withStoreAsItIs(terminal, ({ kysely }) =>
    kysely.transaction().execute(async (transaction) => {
      const released = await release(transaction, dataset.name);
      const request = [{ name: "dataset", value: name }];
      await logWrite(transaction, { at, actor: "cli", account: "", operation: "release dataset", request });
      return released;
    }),
  );
  terminal.out.write(`${name}: generation ${held} is released; the next refresh replaces it\n`);
}

/** Uses the store without a migration, also while a service is running. */
async function withStoreAsItIs<T>(terminal: Terminal, use: (database: Database) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const log = (message: string) => void terminal.err.write(`${message}\n`);
  return await use(await openStoreAsItIs(stack, terminal.config(), "dataset", log));
}

function byName(name: string): ScheduledDataset {
  const dataset = datasets.find((candidate) => candidate.name === name);
  if (!dataset)
    throw new WrongCommandLine(
      `Unknown dataset ${name}. Known datasets: ${datasets.map((each) => each.name).join(", ")}`,
    );
  return dataset;
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type DatabaseOptions, openDatabase } from "../../../src/store/database.ts";

/** The state after a killed writer. */
export interface KillRound {
  readonly acknowledged: number;
  /** Acknowledged rows that are not there. */
  readonly lost: string[];
  /** Transactions of which only a part is there. */
  readonly halves: string[];
  /** How long the next open took. */
  readonly reopenMs: number;
}

/** Kills a writing process with SIGKILL after `writes` acknowledged writes, and checks the content of the database. */
export async function killRound(options: DatabaseOptions, writes: number): Promise<KillRound> {
  const script = fileURLToPath(new URL("./acknowledging-writer.ts", import.meta.url));
  const writer = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(writer, "exit");
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: writer.stdout }))
    if (acknowledged.push(line) === writes) writer.kill("SIGKILL");
  await ended;

  const started = performance.now();
  const database = await openDatabase(options);
  const reopenMs = performance.now() - started;
  const generations = new Set(
    (await database.kysely.selectFrom("generation").select("name").execute()).map(({ name }) => name),
  );
  const snapshots = new Set(
    (await database.kysely.selectFrom("snapshot").select("type").execute()).map(({ type }) => type),
  );
  await database.close();
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((name) => !generations.has(name)),
    halves: [...generations]
      .filter((name) => !snapshots.has(name))
      .concat([...snapshots].filter((type) => !generations.has(type))),
    reopenMs,
  };
}

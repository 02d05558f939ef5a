import { settings } from "../config.ts";
import { datasets } from "../domains/index.ts";
import { type DatasetCondition, datasetConditions, type SourceCondition } from "../ingest/condition.ts";
import { createUpstreams } from "../ingest/upstreams.ts";
import type { Terminal } from "./program.ts";
import { withStore } from "./store.ts";
import { table } from "./table.ts";

/** Tells what is set, which variable each source misses, and how every dataset stands. */
export async function doctor(terminal: Terminal, { json = false }: { readonly json?: boolean }): Promise<void> {
  const config = terminal.config();
  const clock = () => new Date();
  const { missingOf } = createUpstreams(config, clock, Math.random);
  const conditions = await withStore(terminal, "doctor", ({ kysely }) =>
    datasetConditions(kysely, { datasets, missingOf, clock }),
  );
  if (json) {
    terminal.out.write(`${JSON.stringify({ data: config.data, datasets: conditions }, null, 2)}\n`);
    return;
  }
  const set = settings.filter(({ name }) => terminal.environment[name]).map(({ name }) => name);
  terminal.out.write(
    `data: ${config.data}; store: ${config.databaseUrl ? "Postgres" : `embedded in ${config.directory}`}\n`,
  );
  terminal.out.write(`set: ${set.join(", ") || "nothing, every setting has its default"}\n\n`);
  terminal.out.write(table(["dataset", "state", "origin", "rows", "age", "generation"], conditions.map(datasetLine)));
  terminal.out.write("\n");
  terminal.out.write(
    table(
      ["source", "of", "state", "last run", "last good", "in", "out", "rejected", "licence", "missing or error"],
      conditions.flatMap((condition) => condition.sources.map((source) => sourceLine(condition.name, source))),
    ),
  );
}

function datasetLine({ name, state, origin, rows, ageSeconds, generation }: DatasetCondition): string[] {
  return [name, state, origin ?? "", text(rows), ageSeconds === undefined ? "" : age(ageSeconds), text(generation)];
}

function sourceLine(dataset: string, source: SourceCondition): string[] {
  const {
    name,
    state,
    lastRunAt = "",
    lastGoodAgeSeconds,
    rowsIn,
    rowsOut,
    rejected,
    licence,
    missing,
    error,
  } = source;
  const trouble = missing.length > 0 ? `set ${missing.join(", ")}` : (error ?? "");
  const good = lastGoodAgeSeconds === undefined ? "never" : `${age(lastGoodAgeSeconds)} ago`;
  return [name, dataset, state, lastRunAt, good, text(rowsIn), text(rowsOut), text(rejected), licence.kind, trouble];
}

function text(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

import { z } from "zod";
import { textOf } from "../../config/setting.ts";
import { settings } from "../../config/settings.ts";
import { datasets as known, lookups as knownLookups } from "../../domains/index.ts";
import { ConfigurationError } from "../../errors.ts";
import { type DatasetStatus, datasetStatuses, type SourceStatus } from "../../ingest/dataset-status.ts";
import { type LiveSourceStatus, liveSourceStatuses } from "../../ingest/health-report.ts";
import { createUpstreams } from "../../ingest/upstreams.ts";
import { accessHints, hintInWords } from "../access-hints.ts";
import { settingWarnings } from "../setting-warnings.ts";
import { withStore } from "../store.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";

/** Tells what is set, which variable each source misses, and how every dataset stands. */
export async function doctor(terminal: Terminal, { json = false }: { readonly json?: boolean }): Promise<void> {
  const { reportedBy, data, datasets, lookups } = await finding(terminal);
  const warnings = settingWarnings(terminal.environment);
  const access = accessHints(
    [...datasets.flatMap(({ sources }) => sources), ...lookups],
    [...known.flatMap(({ sources }) => sources), ...knownLookups],
  );
  if (json) {
    terminal.out.write(`${JSON.stringify({ reportedBy, data, warnings, datasets, lookups, access }, null, 2)}\n`);
    return;
  }
  const set = settings.filter(({ name }) => textOf(terminal.environment, name)).map(({ name }) => name);
  terminal.out.write(`data: ${data}; reported by ${reportedBy}\n`);
  terminal.out.write(`set: ${set.join(", ") || "nothing, all settings have their defaults"}\n`);
  terminal.out.write(`${warnings.map((warning) => `warning: ${warning}\n`).join("")}\n`);
  terminal.out.write(
    table(["dataset", "state", "origin", "rows", "age", "generation", "reason"], datasets.map(datasetLine)),
  );
  terminal.out.write("\n");
  terminal.out.write(
    table(
      ["source", "dataset", "state", "last run", "last good", "in", "out", "rejected", "license", "missing or error"],
      datasets.flatMap((status) => status.sources.map((source) => sourceLine(status.name, source))),
    ),
  );
  terminal.out.write("\n");
  terminal.out.write(table(["live source", "operation", "state", "license", "missing"], lookups.map(lookupLine)));
  if (access.length > 0) terminal.out.write(`\n${access.map((hint) => `${hintInWords(hint)}\n`).join("")}`);
}

interface Finding {
  /** Where it comes from. */
  readonly reportedBy: string;
  readonly data: "live" | "sample";
  readonly datasets: readonly DatasetStatus[];
  readonly lookups: readonly LiveSourceStatus[];
}

/** Read from the store; from a running service where that has the embedded database to itself. */
async function finding(terminal: Terminal): Promise<Finding> {
  const { data, variable, mask, databaseUrl, directory, host, port } = terminal.config();
  const clock = () => new Date();
  const { missingOf } = createUpstreams({ data, variable, mask }, clock, Math.random);
  const parts = { datasets: known, missingOf, data, clock, forOperator: true };
  try {
    const datasets = await withStore(terminal, "doctor", ({ kysely }) => datasetStatuses(kysely, parts));
    const lookups = liveSourceStatuses(knownLookups, missingOf);
    return {
      reportedBy: databaseUrl ? "Postgres" : `the embedded database in ${directory}`,
      data,
      datasets,
      lookups,
    };
  } catch (error) {
    if (databaseUrl || !(error instanceof ConfigurationError)) throw error;
    const url = `http://${reachable(host)}:${port}/api/health`;
    const health = await healthAt(url);
    if (!health) throw new ConfigurationError(`${error.message}. No service responds at ${url}: set its PORT`);
    return { reportedBy: `the service at ${url}, which has exclusive access to the embedded database`, ...health };
  }
}

const healthSchema = z.object({
  data: z.enum(["live", "sample"]),
  datasets: z.array(z.custom<DatasetStatus>((value) => conditionSchema.safeParse(value).success)),
  lookups: z.array(z.custom<LiveSourceStatus>((value) => lookupSchema.safeParse(value).success)),
});
const conditionSchema = z.object({
  name: z.string(),
  state: z.string(),
  sources: z.array(z.object({ name: z.string(), state: z.string(), missing: z.array(z.string()) })),
});
const lookupSchema = z.object({
  name: z.string(),
  operation: z.string(),
  state: z.string(),
  missing: z.array(z.string()),
  licence: z.object({ kind: z.string() }),
});
const healthWithinMs = 5_000;

async function healthAt(url: string): Promise<z.infer<typeof healthSchema> | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(healthWithinMs), redirect: "error" });
    return healthSchema.parse(await response.json());
  } catch {
    // Nobody there, or somebody else.
    return undefined;
  }
}

/** Every address of this machine includes the loopback one. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function datasetLine(status: DatasetStatus): string[] {
  const { name, state, origin, rows, ageSeconds, generation, reason, words, error } = status;
  const old = ageSeconds === undefined ? "" : age(ageSeconds);
  return [name, state, origin ?? "", text(rows), old, text(generation), reason ?? words ?? error ?? ""];
}

function sourceLine(dataset: string, source: SourceStatus): string[] {
  const {
    name,
    state,
    lastRunAt = "",
    lastGoodAgeSeconds,
    rowsIn,
    rowsOut,
    rejected,
    available,
    licence,
    missing,
    missingParts = [],
    error,
    words,
  } = source;
  const parts = missingParts.map((one) => `without ${one.part}: ${one.words ?? one.error}`).join("; ");
  const trouble = missing.length > 0 ? `set ${missing.join(", ")}` : (words ?? error ?? parts);
  const good = lastGoodAgeSeconds === undefined ? "never" : `${age(lastGoodAgeSeconds)} ago`;
  const came = available === undefined ? text(rowsIn) : `${text(rowsIn)} of ${available}`;
  return [name, dataset, state, lastRunAt, good, came, text(rowsOut), text(rejected), licence.kind, trouble];
}

function lookupLine({ name, operation, state, licence, missing }: LiveSourceStatus): string[] {
  return [name, operation, state, licence.kind, missing.length > 0 ? `set ${missing.join(", ")}` : ""];
}

function text(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

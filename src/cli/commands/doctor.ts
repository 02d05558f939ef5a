import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { textOf } from "../../config/setting.ts";
import { settings } from "../../config/settings.ts";
import { liveSummary } from "../../contract/live-summary.ts";
import { datasets as known, lookups as knownLookups } from "../../domains/index.ts";
import { ConfigurationError } from "../../errors.ts";
import { type DatasetStatus, datasetStatuses } from "../../ingest/dataset-status.ts";
import { liveSourceStatuses } from "../../ingest/health-report.ts";
import { createUpstreams } from "../../ingest/upstreams.ts";
import { FolderInUse } from "../../store/embedded/folder-lock.ts";
import { type AccessHint, accessHints, hintInWords } from "../client/access-hints.ts";
import {
  type ReportedDataset,
  type ReportedLookup,
  type ReportedSource,
  servedStatus,
} from "../client/served-status.ts";
import { settingWarnings } from "../setting-warnings.ts";
import { startProblems } from "../start-checks.ts";
import { withStore } from "../store.ts";
import { paragraphs, table } from "../table.ts";
import type { Terminal } from "../terminal.ts";

/** With `check` it fails if a setting, a source, or a dataset is not good. */
export async function doctor(
  terminal: Terminal,
  { json = false, check = false }: { readonly json?: boolean; readonly check?: boolean },
): Promise<void> {
  const { reportedBy, data, datasets, lookups } = await finding(terminal);
  const serving = async () => (await healthAt(healthUrl(terminal.config()))) !== undefined;
  const problems = await startProblems(terminal, serving);
  const warnings = settingWarnings(terminal.environment);
  const access = accessHints([...datasets.flatMap(({ sources }) => sources), ...lookups], knownSources);
  const report = { reportedBy, data, problems, warnings, datasets, lookups, access };
  terminal.out.write(json ? `${JSON.stringify(report, null, 2)}\n` : reportText(terminal, report));
  if (check) requireReady(report);
}

const knownSources = [...known.flatMap(({ sources }) => sources), ...knownLookups];

interface Report extends Finding {
  /** Reasons why `ids serve` would not start. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly access: readonly AccessHint[];
}

function reportText({ environment, out }: Terminal, report: Report): string {
  const { reportedBy, data, problems, warnings, datasets, lookups, access } = report;
  const set = settings.filter(({ name }) => textOf(environment, name)).map(({ name }) => name);
  const about = [
    `data: ${data}; reported by ${reportedBy}`,
    `set: ${set.join(", ") || "nothing, all settings have their defaults"}`,
    ...problems.map((problem) => `error: \`ids serve\` would not start: ${problem}`),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  const parts = [
    paragraphs(out, about),
    ...(data === "live" ? [paragraphs(out, liveSummary(datasets))] : []),
    table(out, ["dataset", "state", "origin", "rows", "age", "generation", "reason"], datasets.map(datasetLine)),
    table(
      out,
      ["source", "dataset", "state", "last good", "rows", "license", "missing or error"],
      datasets.flatMap((status) => status.sources.map((source) => sourceLine(status.name, source))),
    ),
    table(out, ["live source", "operation", "state", "license", "missing"], lookups.map(lookupLine)),
    ...(access.length > 0 ? [paragraphs(out, access.map(hintInWords))] : []),
  ];
  return parts.join("\n");
}

const unserved: readonly string[] = ["empty", "expired", "incomplete", "no inputs"] satisfies DatasetStatus["state"][];

function requireReady({ problems, datasets }: Report): void {
  const bad = datasets.filter(({ state }) => unserved.includes(state)).map(({ name, state }) => `${name} (${state})`);
  const reasons = [...problems, ...(bad.length > 0 ? [`No data to serve for ${bad.join(", ")}`] : [])];
  if (reasons.length > 0) throw new ConfigurationError(reasons.join("\n  "));
}

interface Finding {
  readonly reportedBy: string;
  readonly data: "live" | "sample";
  readonly datasets: readonly ReportedDataset[];
  readonly lookups: readonly ReportedLookup[];
}

/** Reads the status from the store, or from a running service if that has exclusive access. */
async function finding(terminal: Terminal): Promise<Finding> {
  const config = terminal.config();
  const { data, variable, mask, databaseUrl, directory } = config;
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
    if (!(error instanceof FolderInUse)) throw error;
    const url = healthUrl(config);
    const health = await healthAt(url);
    const served = health && (await servedStatus(new URL(url).origin, knownSources).catch(() => undefined));
    if (!served) throw new ConfigurationError(`${error.message}. No service responds at ${url}: set its PORT`);
    const reportedBy = `the service at ${url}, which has exclusive access to the embedded database`;
    return { reportedBy, data: health.data, ...served };
  }
}

const healthSchema = z.object({ data: z.enum(["live", "sample"]), catalog: z.string() });
const healthWithinMs = 5_000;

async function healthAt(url: string): Promise<z.infer<typeof healthSchema> | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(healthWithinMs), redirect: "error" });
    return healthSchema.parse(await response.json());
  } catch {
    // No service responds, or another program does.
    return undefined;
  }
}

/** Every address of this machine includes the loopback address. */
function healthUrl({ host, port }: Config): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}/api/health`;
}

function datasetLine(status: ReportedDataset): string[] {
  const { name, state, origin, rows, ageSeconds, generation, reason, words, error } = status;
  const old = ageSeconds === undefined ? "" : age(ageSeconds);
  return [name, state, origin ?? "", text(rows), old, text(generation), reason ?? words ?? error ?? ""];
}

function sourceLine(dataset: string, source: ReportedSource): string[] {
  const { name, state, lastGoodAgeSeconds, rowsIn, rowsOut, available, license } = source;
  const good = lastGoodAgeSeconds === undefined ? "never" : `${age(lastGoodAgeSeconds)} ago`;
  const received = available ?? rowsIn;
  const rows = received === rowsOut ? text(rowsOut) : `${text(rowsOut)}/${text(received)}`;
  return [name, dataset, state, good, rows, license.kind, troubleOf(source)];
}

function troubleOf({ missing, missingParts = [], error, words, rejected = 0 }: ReportedSource): string {
  if (missing.length > 0) return `set ${missing.join(", ")}`;
  const parts = missingParts.map((one) => `without ${one.part}: ${one.words ?? one.error}`);
  const failure = words ?? error;
  return [...(failure === undefined ? parts : [failure]), ...(rejected > 0 ? [`${rejected} rejected`] : [])].join("; ");
}

function lookupLine({ name, operation, state, license, missing }: ReportedLookup): string[] {
  return [name, operation, state, license.kind, missing.length > 0 ? `set ${missing.join(", ")}` : ""];
}

function text(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

import { existsSync, rmdirSync } from "node:fs";
import { z } from "zod";
import { requireStripe } from "../access/billing/billing.ts";
import { storedSecrets } from "../access/secret.ts";
import type { Config } from "../config/config.ts";
import { textOf } from "../config/setting.ts";
import { client } from "../config/settings/server.ts";
import { settings } from "../config/settings.ts";
import { liveSummary } from "../contract/live-summary.ts";
import { datasets as known, lookups as knownLookups } from "../domains/index.ts";
import { openIpLocator } from "../domains/infrastructure/ip-geo.ts";
import { ConfigurationError } from "../errors.ts";
import { type DatasetStatus, datasetStatuses, type SourceStatus, type StatusParts } from "../ingest/dataset-status.ts";
import { type LiveSourceStatus, liveSourceStatuses } from "../ingest/health.ts";
import { createUpstreams, missing } from "../ingest/upstreams.ts";
import { FolderInUse } from "../store/embedded/folder-lock.ts";
import { makeFolder } from "../store/folder.ts";
import { type AccessHint, accessHints, hintInWords } from "./access-hints.ts";
import { PortInUse, requireFreePort } from "./free-port.ts";
import { settingWarnings } from "./setting-warnings.ts";
import { hasStore, withStore, withStoreAsItIs } from "./store.ts";
import { paragraphs, table } from "./table.ts";
import { printJson, type Terminal } from "./terminal.ts";

/**
 * Reports settings, missing variables of sources, and the status of every dataset. With `check`, it fails if the
 * service would not start or has no data of a dataset.
 */
export async function doctor(
  terminal: Terminal,
  { json = false, check = false }: { readonly json?: boolean; readonly check?: boolean },
): Promise<void> {
  const { reportedBy, data, datasets, lookups } = await finding(terminal);
  const serving = async () => (await readAt(healthUrl(terminal.config(), terminal), healthSchema)) !== undefined;
  const problems = await startProblems(terminal, serving);
  const warnings = settingWarnings(terminal.environment);
  const access = accessHints([...datasets.flatMap(({ sources }) => sources), ...lookups], knownSources);
  const report = { reportedBy, data, problems, warnings, datasets, lookups, access };
  if (json) printJson(terminal, report);
  else terminal.out.write(reportText(terminal, report));
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

/** Statuses in which the service returns no data of a dataset. */
const unserved: readonly string[] = ["empty", "expired", "incomplete", "no inputs"] satisfies DatasetStatus["state"][];

function requireReady({ problems, datasets }: Report): void {
  const bad = datasets.filter(({ state }) => unserved.includes(state)).map(({ name, state }) => `${name} (${state})`);
  const reasons = [...problems, ...(bad.length > 0 ? [`No data to serve for ${bad.join(", ")}`] : [])];
  if (reasons.length > 0) throw new ConfigurationError(reasons.join("\n  "));
}

interface Finding {
  /** The service or database that the statuses come from, or the reason why there are none. */
  readonly reportedBy: string;
  readonly data: "live" | "sample";
  readonly datasets: readonly DatasetStatus[];
  readonly lookups: readonly LiveSourceStatus[];
}

/** Reads the statuses of datasets from the store. If a service has locked the store, its settings apply. */
async function finding(terminal: Terminal): Promise<Finding> {
  const config = terminal.config();
  const { data, variable, mask, databaseUrl, directory } = config;
  const { missingOf } = createUpstreams({ data, variable, mask }, () => new Date(), Math.random);
  const parts = { datasets: known, missingOf, data, clock: () => new Date(), forOperator: true };
  if (!hasStore(config)) {
    requireFolder(directory);
    const reportedBy = `the settings, because ${directory} contains no store. If the service has one elsewhere, set its IDS_DATA_DIR or DATABASE_URL`;
    const datasets = await datasetStatuses(undefined, parts);
    return { reportedBy, data, datasets, lookups: liveSourceStatuses(knownLookups, missingOf) };
  }
  try {
    const datasets = await withStore(terminal, "doctor", ({ kysely }) => datasetStatuses(kysely, parts));
    const reportedBy = databaseUrl ? "Postgres" : `the embedded database in ${directory}`;
    return { reportedBy, data, datasets, lookups: liveSourceStatuses(knownLookups, missingOf) };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const url = healthUrl(config, terminal);
    const served = await servedSettings(url);
    if (!served)
      throw new ConfigurationError(`${error.message}. No service responds at ${url}: set its PORT or IDS_URL`);
    const datasets = await withStoreAsItIs(terminal, "doctor", ({ kysely }) =>
      datasetStatuses(kysely, { ...parts, ...served }),
    );
    const reportedBy = `the service at ${url}, which has exclusive access to the embedded database`;
    return { reportedBy, data: served.data, datasets, lookups: liveSourceStatuses(knownLookups, served.missingOf) };
  }
}

/** Throws if a start cannot create the data folder. Only an attempt shows that, so a new folder is deleted again. */
function requireFolder(directory: string): void {
  const isNew = !existsSync(directory);
  makeFolder(directory, 0o700);
  if (isNew) rmdirSync(directory);
}

const healthSchema = z.object({ data: z.enum(["live", "sample"]), catalog: z.string() });
const sourcesSchema = z.object({ sources: z.array(z.object({ name: z.string(), configured: z.boolean() })) });
const missingSchema = z.object({ name: z.string(), missingVariables: z.array(z.string()).default([]) });
const datasetsSchema = z.object({ datasets: z.array(z.object({ sources: z.array(missingSchema) })) });
const readWithinMs = 5_000;

/** Returns the settings of the running service; undefined if it does not respond, or another program does. */
async function servedSettings(healthUrl: string): Promise<Pick<StatusParts, "data" | "missingOf"> | undefined> {
  const catalog = new URL("/api/catalog/v1/", healthUrl);
  const health = await readAt(healthUrl, healthSchema);
  const all = health && (await readAt(new URL("list-sources", catalog).href, sourcesSchema));
  const listed = all && (await readAt(new URL("list-datasets", catalog).href, datasetsSchema));
  if (!listed) return undefined;
  const configured = new Set(all.sources.flatMap(({ name, configured: isSet }) => (isSet ? [name] : [])));
  const unset = new Map(
    listed.datasets.flatMap(({ sources }) => sources.map((source) => [source.name, source.missingVariables] as const)),
  );
  return {
    data: health.data,
    missingOf(source) {
      const { name, chosenBy } = source;
      if (configured.has(name)) return [];
      const needed = missing(source, () => undefined);
      const needs = needed.length === 0 && chosenBy !== undefined ? [`${chosenBy}=${name}`] : needed;
      const names = unset.get(name);
      return names ? needs.filter((need) => names.includes(need.split("=", 1)[0] ?? "")) : needs;
    },
  };
}

async function readAt<T>(url: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(readWithinMs), redirect: "error" });
    return schema.parse(await response.json());
  } catch {
    return undefined;
  }
}

/** Returns the URL of the health check. A service that listens on all addresses is called at the loopback address. */
function healthUrl({ host, port }: Config, { environment }: Terminal): string {
  const given = textOf(environment, client.url.name);
  if (given) return new URL("/api/health", given).href;
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}/api/health`;
}

function datasetLine(status: DatasetStatus): string[] {
  const { name, state, origin, rows, ageSeconds, generation, reason, words, error } = status;
  const old = ageSeconds === undefined ? "" : age(ageSeconds);
  return [name, state, origin ?? "", text(rows), old, text(generation), reason ?? words ?? error ?? ""];
}

function sourceLine(dataset: string, source: SourceStatus): string[] {
  const { name, state, lastGoodAgeSeconds, rowsIn, rowsOut, available, license } = source;
  const good = lastGoodAgeSeconds === undefined ? "never" : `${age(lastGoodAgeSeconds)} ago`;
  const received = available ?? rowsIn;
  const rows = received === rowsOut ? text(rowsOut) : `${text(rowsOut)}/${text(received)}`;
  return [name, dataset, state, good, rows, license.kind, troubleOf(source)];
}

function troubleOf({ missing, missingParts = [], error, words, rejected = 0 }: SourceStatus): string {
  if (missing.length > 0) return `set ${missing.join(", ")}`;
  const parts = missingParts.map((one) => `without ${one.part}: ${one.words ?? one.error}`);
  const failure = words ?? error;
  return [...(failure === undefined ? parts : [failure]), ...(rejected > 0 ? [`${rejected} rejected`] : [])].join("; ");
}

function lookupLine({ name, operation, state, license, missing }: LiveSourceStatus): string[] {
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

/**
 * Returns why `ids serve` would not start with these settings. `serving` returns whether a service already runs on the
 * port.
 */
async function startProblems(terminal: Terminal, serving: () => Promise<boolean>): Promise<readonly string[]> {
  const config = terminal.config();
  const { host, port, metricsPort } = config;
  const checks = [
    () => void terminal.config({ secrets: true }),
    () => requireUsablePort("PORT", host, port, serving),
    async () => {
      if (metricsPort !== undefined) await requireUsablePort("IDS_METRICS_PORT", host, metricsPort, serving);
    },
    () => requireSecrets(config),
    () => requireStripe(config.stripe),
    async () => (await openIpLocator(config.geoipDatabase))[Symbol.dispose](),
  ];
  const problems: string[] = [];
  for (const check of checks) problems.push(...(await problemOf(check)));
  return [...new Set(problems)];
}

async function problemOf(check: () => void | Promise<void>): Promise<readonly string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}

async function requireUsablePort(
  variable: "PORT" | "IDS_METRICS_PORT",
  host: string,
  port: number,
  serving: () => Promise<boolean>,
): Promise<void> {
  try {
    await requireFreePort(variable, host, port);
  } catch (error) {
    if (!(error instanceof PortInUse && (await serving()))) throw error;
  }
}

async function requireSecrets({ secretKeys, databaseUrl, directory }: Config): Promise<void> {
  if (secretKeys.length === 0 && databaseUrl === undefined) await storedSecrets(directory);
}

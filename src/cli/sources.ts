import { existsSync } from "node:fs";
import { join } from "node:path";
import { datasets } from "../domains/index.ts";
import { ConfigurationError } from "../errors.ts";
import { driftInWords } from "../ingest/drift/drift.ts";
import { shrinksTo } from "../ingest/refresh/evaluate.ts";
import type { UpstreamExchange } from "../ingest/refresh/fetch.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import type { SourceMetadata } from "../ingest/source.ts";
import { lastForms, type SourceCheck } from "../ingest/source-check.ts";
import { keysOf } from "../ingest/upstreams.ts";
import type { Database } from "../store/database.ts";
import { FolderInUse } from "../store/embedded/folder-lock.ts";
import { makeFolder } from "../store/folder.ts";
import { recordedUpstream } from "../upstream/sample/recorded.ts";
import { writeRecording } from "../upstream/sample/recording.ts";
import { sampleUpstream } from "../upstream/sample/sample.ts";
import { sharedUpstreams } from "./dataset-parts.ts";
import { hasStore, openStore, openStoreAsItIs } from "./store.ts";
import { paragraphs, table } from "./table.ts";
import { printJson, type Terminal, WrongCommandLine } from "./terminal.ts";

interface CheckOptions {
  readonly record?: string;
  readonly replay?: string;
  readonly json?: boolean;
}

interface Place {
  readonly dataset: ScheduledDataset;
  readonly source: SourceMetadata;
}

/** Thrown if the response of a source is unexpected, or if a named source cannot be requested. */
export class UnsoundSources extends ConfigurationError {
  /** Names of the sources with an unexpected response. */
  readonly sources: readonly string[];

  constructor(faults: readonly string[], sources: readonly string[]) {
    super(faults.join(". "));
    this.sources = sources;
  }
}

/**
 * Requests sources like a refresh, or replays recorded responses, and reports the quality of the responses. Fails if
 * one is not good.
 */
export async function checkSources(terminal: Terminal, names: readonly string[], options: CheckOptions): Promise<void> {
  const { record, replay, json = false } = options;
  if (record !== undefined && replay !== undefined)
    throw new WrongCommandLine("--record and --replay exclude each other");
  const places = placesOf(names);
  const { data: _, ...config } = terminal.config();
  await using stack = new AsyncDisposableStack();
  const database = replay === undefined ? (await openFree(terminal, stack))?.kysely : undefined;
  const upstreams = sharedUpstreams({ ...config, data: "live" }, database);
  const last = database && (await lastForms(database));
  if (record !== undefined) makeFolder(record);
  const checks: SourceCheck[] = [];
  const unset: Unset[] = [];
  for (const { dataset, source } of replay === undefined ? places : recordedOf(places, names, replay)) {
    const missing = replay === undefined ? upstreams.missingOf(source) : [];
    if (missing.length > 0) {
      unset.push({ source: source.name, missing });
      continue;
    }
    const upstream = replay === undefined ? upstreams.upstreamOf(source) : recordedUpstream(replay, source.name);
    const { mask } = upstreams;
    const { now } = upstream;
    const sample = sampleUpstream(source.name, () => now);
    const check = await dataset.check(source.name, {
      ...{ upstream, sample, mask, last: last?.get(`${dataset.name} ${source.name}`) },
      floor: last && upstreams.floorOf(source),
    });
    checks.push(check);
    const redaction = { keys: keysOf(source, config.variable), mask };
    if (record !== undefined)
      writeRecording(record, source.name, check.exchanges, { at: now, rows: check.rowsOut, ...redaction });
    if (!json) terminal.err.write(`${source.name}: ${stateOf(check)}\n`);
  }
  if (json) printJson(terminal, reportJson(checks, unset));
  else terminal.out.write(reportText(terminal.out, checks, unset));
  const faults = faultsOf(checks, names.length > 0 ? unset : []);
  if (faults.length > 0) throw new UnsoundSources(faults, unsound(checks));
}

/** Returns why the check fails: unexpected responses, named sources without a request, or nothing was checked. */
function faultsOf(checks: readonly SourceCheck[], unconfigured: readonly Unset[]): string[] {
  const bad = unsound(checks);
  return [
    ...(bad.length > 0 ? [`Not as expected: ${bad.join(", ")}`] : []),
    ...unconfigured.map(({ source, missing }) => `${source} was not checked: set ${missing.join(", ")}`),
    ...(checks.length === 0 && unconfigured.length === 0 ? ["Nothing was checked"] : []),
  ];
}

function unsound(checks: readonly SourceCheck[]): string[] {
  return checks.filter((check) => stateOf(check) !== "ok").map(({ source }) => source);
}

/** Returns each source once, even if several datasets use it. */
function placesOf(names: readonly string[]): readonly Place[] {
  const all = datasets.flatMap((dataset) =>
    dataset.sources.filter(({ own }) => !own).map((source): Place => ({ dataset, source })),
  );
  const known = [...new Map(all.map((place) => [place.source.name, place])).values()];
  for (const name of names)
    if (!known.some(({ source }) => source.name === name))
      throw new WrongCommandLine(
        `Unknown source ${name}. Known sources: ${known.map(({ source }) => source.name).join(", ")}`,
      );
  return names.length === 0 ? known : known.filter(({ source }) => names.includes(source.name));
}

/** Returns the sources with recorded responses in the folder. Throws if a source that the user names has none. */
function recordedOf(places: readonly Place[], names: readonly string[], replay: string): readonly Place[] {
  const played = places.filter(({ source }) => existsSync(join(replay, source.name)));
  if (names.length > 0 && played.length < places.length) {
    const without = places.filter((place) => !played.includes(place)).map(({ source }) => source.name);
    throw new ConfigurationError(`${replay} contains no recording of ${without.join(", ")}`);
  }
  if (played.length === 0) throw new ConfigurationError(`${replay} contains no recording of a source`);
  return played;
}

/**
 * Opens the store for the last schemas and the request budgets, even while a service uses it. Returns undefined if it
 * does not exist or cannot be opened.
 */
async function openFree(terminal: Terminal, stack: AsyncDisposableStack): Promise<Database | undefined> {
  const config = terminal.config();
  const warn = (message: string) => void terminal.err.write(`${message}\n`);
  const instead = "responses are compared with the samples, and requests do not count toward daily budgets";
  if (!hasStore(config)) {
    warn(`${config.directory} contains no store, so ${instead}.`);
    return undefined;
  }
  try {
    return await openStore(stack, config, "sources check", warn).catch((error: unknown) => {
      if (error instanceof FolderInUse) return openStoreAsItIs(stack, config, "sources check", warn);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    warn(`Without the store, ${instead}: ${error.message}.`);
    return undefined;
  }
}

/** A source whose variables are not set. */
interface Unset {
  readonly source: string;
  readonly missing: readonly string[];
}

/**
 * The result of a check. `changed`: fields that the parser reads are missing or of another type. `shrunk`: far fewer
 * rows than last time. `refused`: a refresh would reject the rows, for example because all are invalid.
 */
type CheckState = "ok" | "partial" | "shrunk" | "refused" | "changed" | "failed";

function stateOf({ failure, missing, unfound, retyped, rejection, rowsOut, lastRows }: SourceCheck): CheckState {
  if (failure) return "failed";
  if (unfound.length > 0 || retyped.length > 0) return "changed";
  if (rowsOut > 0 && lastRows !== undefined && rowsOut < lastRows * shrinksTo) return "shrunk";
  if (rejection !== undefined) return "refused";
  return missing.length > 0 ? "partial" : "ok";
}

/** Formats the report as a table with a row per source, and remarks below. */
function reportText(out: Terminal["out"], checks: readonly SourceCheck[], unset: readonly Unset[]): string {
  const headings = ["source", "state", "HTTP", "time", "size", "rows", "rejected", "of last", "license"];
  const lines = checks.map((check) => [
    check.source,
    stateOf(check),
    statuses(check.exchanges),
    `${(sum(check.exchanges, ({ milliseconds }) => milliseconds) / 1000).toFixed(1)} s`,
    size(sum(check.exchanges, bytesOf)),
    check.available === undefined ? String(check.rowsOut) : `${check.rowsOut}/${check.available}`,
    String(check.rowsIn - check.rowsOut),
    check.lastRows ? `${Math.round((100 * check.rowsOut) / check.lastRows)} %` : "",
    check.license.kind,
  ]);
  const details = checks.flatMap((check) => detailsOf(check).map((detail) => `${check.source}: ${detail}`));
  const others = unset.map(({ source, missing }) => `${source}: not checked, set ${missing.join(", ")}`);
  const parts = [table(out, headings, lines), paragraphs(out, details), paragraphs(out, others)];
  return parts.filter((part) => part !== "").join("\n");
}

/** Returns the report as JSON. */
function reportJson(checks: readonly SourceCheck[], unset: readonly Unset[]): unknown {
  return {
    checks: checks.map((check) => {
      const { exchanges, failure, ...metadata } = check;
      return {
        state: stateOf(check),
        ...metadata,
        ...(failure && { failure: { kind: failure.kind, status: failure.status, words: failure.words } }),
        requests: exchanges.length,
        statuses: statuses(exchanges),
        milliseconds: Math.round(sum(exchanges, ({ milliseconds }) => milliseconds)),
        bytes: sum(exchanges, bytesOf),
      };
    }),
    unset,
  };
}

function detailsOf(check: SourceCheck): string[] {
  const { failure, rejection, unfound, reasons, missing, drift, heldAgainst } = check;
  return [
    ...(failure ? [failure.words] : []),
    ...(rejection === undefined ? [] : [rejection]),
    ...(unfound.length > 0 ? [`not found: ${unfound.join(", ")}`] : []),
    ...missing.map(({ part, reason }) => `without ${part}: ${reason}`),
    ...reasons.map(({ reason, count, row }) => `${count} rejected: ${reason} (${row})`),
    ...(drift.length > 0 ? [`against the ${heldAgainst}: ${driftInWords(drift)}`] : []),
  ];
}

function statuses(exchanges: readonly UpstreamExchange[]): string {
  const counts = Map.groupBy(exchanges, ({ failure }) => (failure ? (failure.status ?? "none") : 200));
  return [...counts].map(([status, of]) => (of.length === 1 ? `${status}` : `${status}×${of.length}`)).join(" ");
}

function bytesOf({ text = "" }: UpstreamExchange): number {
  return Buffer.byteLength(text);
}

function sum(exchanges: readonly UpstreamExchange[], of: (exchange: UpstreamExchange) => number): number {
  return exchanges.reduce((total, exchange) => total + of(exchange), 0);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

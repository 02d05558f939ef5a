import { existsSync } from "node:fs";
import { join } from "node:path";
import { datasets } from "../../../domains/index.ts";
import { ConfigurationError } from "../../../errors.ts";
import { lastForms } from "../../../ingest/refresh/last-forms.ts";
import type { SourceCheck } from "../../../ingest/refresh/source-check.ts";
import { storedBudget } from "../../../ingest/request-budget.ts";
import type { ScheduledDataset } from "../../../ingest/schedule/scheduled.ts";
import type { SourceMetadata } from "../../../ingest/source.ts";
import { variablesOf } from "../../../ingest/source-variables.ts";
import { storedRests } from "../../../ingest/stored-rests.ts";
import { createUpstreams } from "../../../ingest/upstreams.ts";
import type { Database } from "../../../store/database.ts";
import { makeFolder } from "../../../store/folder.ts";
import { recordedUpstream } from "../../../upstream/sample/recorded.ts";
import { writeRecording } from "../../../upstream/sample/recording.ts";
import { sampleUpstream, sampleValue } from "../../../upstream/sample/sample.ts";
import type { Secret } from "../../../upstream/sample/spelled-secrets.ts";
import { reportJson, reportText, stateOf, type Unset } from "../../source-report.ts";
import { openStore } from "../../store.ts";
import type { Terminal } from "../../terminal.ts";
import { WrongCommandLine } from "../../wrong-command-line.ts";

interface CheckOptions {
  readonly record?: string;
  readonly replay?: string;
  readonly json?: boolean;
}

interface Place {
  readonly dataset: ScheduledDataset;
  readonly source: SourceMetadata;
}

/** Responses of sources were not as expected, or sources were not requested. */
export class UnsoundSources extends ConfigurationError {
  readonly sources: readonly string[];

  constructor(faults: readonly string[], sources: readonly string[]) {
    super(faults.join(". "));
    this.sources = sources;
  }
}

/** Recorded responses are replayed instead if they are given. Fails if a response is not good. */
export async function checkSources(terminal: Terminal, names: readonly string[], options: CheckOptions): Promise<void> {
  const { record, replay, json = false } = options;
  if (record !== undefined && replay !== undefined)
    throw new WrongCommandLine("--record and --replay exclude each other");
  const places = placesOf(names);
  const { data: _, ...config } = terminal.config();
  await using stack = new AsyncDisposableStack();
  const database = replay === undefined ? (await openFree(terminal, stack))?.kysely : undefined;
  const outside = database ? { takeRequest: storedBudget(database), rests: storedRests(database) } : {};
  const upstreams = createUpstreams({ ...config, data: "live" }, () => new Date(), Math.random, outside);
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
  terminal.out.write(
    json ? `${JSON.stringify(reportJson(checks, unset), null, 2)}\n` : reportText(terminal.out, checks, unset),
  );
  const faults = faultsOf(checks, names.length > 0 ? unset : []);
  if (faults.length > 0) throw new UnsoundSources(faults, unsound(checks));
}

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

/** Returns every source once, although several datasets may use it. */
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

/** Returns the sources with a recording in the folder. Every named source must have one. */
function recordedOf(places: readonly Place[], names: readonly string[], replay: string): readonly Place[] {
  const played = places.filter(({ source }) => existsSync(join(replay, source.name)));
  if (names.length > 0 && played.length < places.length) {
    const without = places.filter((place) => !played.includes(place)).map(({ source }) => source.name);
    throw new ConfigurationError(`${replay} contains no recording of ${without.join(", ")}`);
  }
  if (played.length === 0) throw new ConfigurationError(`${replay} contains no recording of a source`);
  return played;
}

/** Undefined if a running service has exclusive access. */
async function openFree(terminal: Terminal, stack: AsyncDisposableStack): Promise<Database | undefined> {
  try {
    return await openStore(
      stack,
      terminal.config(),
      "sources check",
      (message) => void terminal.err.write(`${message}\n`),
    );
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    terminal.err.write(
      `${error.message}. Responses are compared with the samples, and requests do not count toward daily budgets.\n`,
    );
    return undefined;
  }
}

function keysOf(source: SourceMetadata, variable: (name: string) => string | undefined): Secret[] {
  return variablesOf(source).flatMap(({ name, kind }) => {
    const value = kind === "permission" ? undefined : variable(name);
    return value ? [{ value, shown: sampleValue(name) }] : [];
  });
}

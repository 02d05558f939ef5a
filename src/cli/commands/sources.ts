import { existsSync } from "node:fs";
import { join } from "node:path";
import { datasets } from "../../domains/index.ts";
import { ConfigurationError } from "../../errors.ts";
import { lastForms } from "../../ingest/last-forms.ts";
import { storedBudget } from "../../ingest/request-budget.ts";
import type { ScheduledDataset } from "../../ingest/scheduled.ts";
import type { SourceFacts } from "../../ingest/source.ts";
import type { SourceCheck } from "../../ingest/source-check.ts";
import { variablesOf } from "../../ingest/source-variables.ts";
import { createUpstreams } from "../../ingest/upstreams.ts";
import type { Database } from "../../store/database.ts";
import { makeFolder } from "../../store/folder.ts";
import { recordedUpstream, writeRecording } from "../../upstream/sample/recording.ts";
import { sampleUpstream, sampleValue } from "../../upstream/sample/sample.ts";
import { reportJson, reportText, stateOf, type Unset } from "../source-report.ts";
import { openStore } from "../store.ts";
import type { Terminal } from "../terminal.ts";

interface CheckOptions {
  readonly record?: string;
  readonly replay?: string;
  readonly json?: boolean;
}

interface Place {
  readonly dataset: ScheduledDataset;
  readonly source: SourceFacts;
}

/** Asks sources as a refresh would, or plays what was recorded, and tells how the answers are; fails where one is not good. */
export async function checkSources(terminal: Terminal, names: readonly string[], options: CheckOptions): Promise<void> {
  const { record, replay, json = false } = options;
  if (record !== undefined && replay !== undefined)
    throw new ConfigurationError("--record and --replay exclude each other");
  const { data: _, ...config } = terminal.config();
  await using stack = new AsyncDisposableStack();
  const database = replay === undefined ? (await openFree(terminal, stack))?.kysely : undefined;
  const outside = database ? { takeRequest: storedBudget(database) } : {};
  const upstreams = createUpstreams({ ...config, data: "live" }, () => new Date(), Math.random, outside);
  const last = database && (await lastForms(database));
  if (record !== undefined) makeFolder(record);
  const checks: SourceCheck[] = [];
  const unset: Unset[] = [];
  for (const { dataset, source } of placesOf(names, replay)) {
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
    });
    checks.push(check);
    const redaction = { unkeyed: withoutKeys(source, config.variable), mask };
    if (record !== undefined)
      writeRecording(record, source.name, check.exchanges, { at: now, rows: check.rowsOut, ...redaction });
    if (!json) terminal.err.write(`${source.name}: ${stateOf(check)}\n`);
  }
  terminal.out.write(
    json ? `${JSON.stringify(reportJson(checks, unset), null, 2)}\n` : reportText(terminal.out, checks, unset),
  );
  const bad = checks.filter((check) => stateOf(check) !== "ok");
  if (bad.length > 0) throw new ConfigurationError(`Not as expected: ${bad.map(({ source }) => source).join(", ")}`);
}

/** Every source once, though several datasets may be made from it. */
function placesOf(names: readonly string[], replay: string | undefined): readonly Place[] {
  const all = datasets.flatMap((dataset) =>
    dataset.sources.filter(({ own }) => !own).map((source): Place => ({ dataset, source })),
  );
  const known = [...new Map(all.map((place) => [place.source.name, place])).values()];
  for (const name of names)
    if (!known.some(({ source }) => source.name === name))
      throw new ConfigurationError(
        `Unknown source ${name}. Known sources: ${known.map(({ source }) => source.name).join(", ")}`,
      );
  const chosen = names.length === 0 ? known : known.filter(({ source }) => names.includes(source.name));
  const played = replay === undefined ? chosen : chosen.filter(({ source }) => existsSync(join(replay, source.name)));
  if (played.length === 0) throw new ConfigurationError(`${replay} holds no recording of these sources`);
  return played;
}

/** The store, which knows the last forms and counts requests; none where a running service has it to itself. */
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
      `${error.message}. The answers are compared with the samples, and requests do not count toward daily budgets.\n`,
    );
    return undefined;
  }
}

/** Takes a source's own keys out of a text, so that what is left is what its sample is asked with. */
function withoutKeys(source: SourceFacts, variable: (name: string) => string | undefined): (text: string) => string {
  const keys = variablesOf(source).flatMap(({ name, kind }) => {
    const value = kind === "permission" ? undefined : variable(name);
    return value ? [[value, sampleValue(name)] as const] : [];
  });
  return (text) =>
    keys.reduce(
      (shown, [value, placeholder]) =>
        shown.replaceAll(encodeURIComponent(value), placeholder).replaceAll(value, placeholder),
      text,
    );
}

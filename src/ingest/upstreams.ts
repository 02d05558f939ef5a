import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Mask } from "../config/masking.ts";
import { defaultOf } from "../config/settings.ts";
import { dayMs } from "../reference/duration.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { StoredPauses } from "../upstream/hosts.ts";
import { liveClient } from "../upstream/live.ts";
import type { Transport } from "../upstream/network.ts";
import type { Redaction } from "../upstream/sample/recording.ts";
import { sampleDays, sampleIndex, sampleUpstream, sampleValue } from "../upstream/sample/sample.ts";
import type { Secret } from "../upstream/sample/spelled-secrets.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { isOwn } from "./dataset.ts";
import { type TakeRequest, takesRequests } from "./request-limits.ts";
import type { Requested, SourceMetadata, SourceTerms } from "./source.ts";

export interface Upstreams {
  readonly origin: "live" | "sample";
  readonly now: () => Date;
  readonly upstreamOf: (source: Requested) => Upstream;
  readonly floorOf: (source: SourceMetadata) => number;
  /** Returns the variables that a source needs but that are not set. Returns none in sample mode. */
  readonly missingOf: (source: SourceTerms) => readonly string[];
  /** Returns the earlier days that the samples of these sources contain, oldest first. Returns none in live mode. */
  readonly earlierDays: (sources: readonly SourceMetadata[]) => readonly number[];
  /** Returns upstreams that play the samples of an earlier day. In live mode, returns the current upstreams. */
  readonly before: (days: number) => Upstreams;
  readonly mask: Mask;
  /** How long and up to which size the responses of sources are retained. Undefined if none is stored. */
  readonly retained: RetainedResponses | undefined;
  /** The secrets to remove from a source's responses. Samples contain none. */
  readonly redactionOf: (source: SourceTerms) => Redaction | undefined;
}

interface RetainedResponses {
  /** Responses of reads before this time are not stored. */
  readonly since: () => Date;
  readonly maxBytes: number;
}

export interface Outside {
  readonly transport?: Transport;
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly maxMs?: number;
  readonly floorOf?: (source: SourceMetadata) => number;
  /** Counts a request in the daily budget of its source. If it is absent, requests are not limited. */
  readonly takeRequest?: TakeRequest;
  /** Stores which hosts are paused. If it is absent, other processes do not know the pauses. */
  readonly rests?: StoredPauses;
  readonly tracing?: Tracing | undefined;
}

const sampleFloor = 0.9;

export function createUpstreams(
  config: Pick<Config, "data" | "variable" | "mask"> &
    Partial<Pick<Config, "operator" | "proxy" | "retain" | "sourceBytes">>,
  clock: () => Date,
  random: () => number,
  outside: Outside = {},
): Upstreams {
  const { mask } = config;
  const { retain, sourceBytes } = config;
  const retained =
    retain && sourceBytes !== undefined
      ? { since: () => new Date(clock().getTime() - retain.sources * dayMs), maxBytes: sourceBytes }
      : undefined;
  if (config.data === "sample") return sampleUpstreams(clock, 0, { mask, retained });
  const { variable, operator, proxy } = config;
  const client = liveClient({
    ...{ clock, random, variable },
    contact: operator?.contact,
    ...(proxy && { proxy }),
    wait: outside.wait ?? ((milliseconds) => wait(milliseconds)),
    ...(outside.transport ? { transport: outside.transport } : {}),
    ...(outside.rests ? { rests: outside.rests } : {}),
    tracing: outside.tracing,
    ...(outside.maxMs === undefined ? {} : { maxMs: outside.maxMs }),
  });
  const upstreams: Upstreams = {
    origin: "live",
    now: clock,
    upstreamOf: (source) =>
      client({ pace: source.pace, takeRequest: takesRequests(source, outside.takeRequest, config, clock) }),
    floorOf: outside.floorOf ?? (({ rows }) => rows.atLeast),
    missingOf: (source) => missing(source, variable),
    earlierDays: () => [],
    before: () => upstreams,
    mask,
    retained,
    redactionOf: (source) => ({ keys: keysOf(source, variable), mask }),
  };
  return upstreams;
}

function sampleUpstreams(
  clock: () => Date,
  daysBefore: number,
  shared: Pick<Upstreams, "mask" | "retained">,
): Upstreams {
  return {
    origin: "sample",
    now: () => new Date(clock().getTime() - daysBefore * dayMs),
    upstreamOf: ({ name }) => sampleUpstream(name, clock, daysBefore),
    floorOf: ({ name, rows }) => Math.ceil((sampleIndex(name)?.rows ?? rows.atLeast) * sampleFloor),
    missingOf: () => [],
    earlierDays: (sources) =>
      [...new Set(sources.flatMap(({ name }) => sampleDays(name, clock())))].sort((a, b) => b - a),
    before: (days) => sampleUpstreams(clock, days, shared),
    redactionOf: () => undefined,
    ...shared,
  };
}

/** Returns whether the data is live or samples. A list of this project counts as live in every mode. */
export function originOf(
  dataset: Parameters<typeof isOwn>[0],
  { origin }: Pick<Upstreams, "origin">,
): Upstreams["origin"] {
  return isOwn(dataset) ? "live" : origin;
}

/** Returns the settings that a live source lacks, as `variable` or `variable=value`. */
export function missing(source: SourceTerms, value: Config["variable"]): readonly string[] {
  const { name, variables = [], chosenBy } = source;
  const unset = variables.filter((variable) => !value(variable));
  const permission = permissionOf(source);
  if (permission !== undefined && value(permission) !== "on") unset.push(`${permission}=on`);
  if (chosenBy !== undefined && (value(chosenBy) || defaultOf(chosenBy)) !== name) unset.push(`${chosenBy}=${name}`);
  return unset;
}

export function permissionOf({ name, license, permission }: SourceTerms): string | undefined {
  if (license.kind !== "restricted") return undefined;
  return permission ?? `IDS_SOURCE_${name.toUpperCase().replaceAll("-", "_")}`;
}

export interface SourceVariable {
  readonly name: string;
  /** `permission`: the value `on` enables a restricted source in live mode. `required`: live mode needs a value. */
  readonly kind: "permission" | "required" | "optional";
}

export function variablesOf(source: SourceTerms): readonly SourceVariable[] {
  const { variables = [], optionalVariables = [] } = source;
  const permission = permissionOf(source);
  return [
    ...(permission === undefined ? [] : [{ name: permission, kind: "permission" } as const]),
    ...variables.map((name) => ({ name, kind: "required" }) as const),
    ...optionalVariables.map((name) => ({ name, kind: "optional" }) as const),
  ];
}

/** Returns the configured keys of a source, and the sample keys that replace them in stored responses. */
export function keysOf(source: SourceTerms, variable: Config["variable"]): Secret[] {
  return variablesOf(source).flatMap(({ name, kind }) => {
    const value = kind === "permission" ? undefined : variable(name);
    return value ? [{ value, shown: sampleValue(name) }] : [];
  });
}

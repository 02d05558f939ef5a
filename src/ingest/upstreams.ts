import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Mask } from "../config/masking.ts";
import { defaultOf } from "../config/settings.ts";
import { dayMs } from "../reference/duration.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { StoredPauses } from "../upstream/hosts.ts";
import { liveClient } from "../upstream/live.ts";
import type { Transport } from "../upstream/network.ts";
import { sampleDays, sampleIndex, sampleUpstream } from "../upstream/sample/sample.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { isOwn } from "./dataset.ts";
import { type TakeRequest, takesRequests } from "./request-budget.ts";
import type { Requested, SourceMetadata, SourceTerms } from "./source.ts";

/** How each source reaches its answers under a configuration. */
export interface Upstreams {
  /** Whether sources are asked, or their samples are played. */
  readonly origin: "live" | "sample";
  /** The moment of which they tell. */
  readonly now: () => Date;
  readonly upstreamOf: (source: Requested) => Upstream;
  readonly floorOf: (source: SourceMetadata) => number;
  /** Variables a source needs and does not have; none in sample mode. */
  readonly missingOf: (source: SourceTerms) => readonly string[];
  /** The days before today on which the sources' samples hold other answers, oldest first; none live. */
  readonly earlierDays: (sources: readonly SourceMetadata[]) => readonly number[];
  /** The same upstreams so many days before; live, these. */
  readonly before: (days: number) => Upstreams;
  /** Takes every configured secret out of the words of a source. */
  readonly mask: Mask;
}

/** The outside, so that tests can stand in for it. */
export interface Outside {
  readonly transport?: Transport;
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly maxMs?: number;
  readonly floorOf?: (source: SourceMetadata) => number;
  /** Keeps count of what sources with a small quota are asked in a day; without it nobody does. */
  readonly takeRequest?: TakeRequest;
  /** Which hosts are left alone, over restarts and for all processes; without it for this process alone. */
  readonly rests?: StoredPauses;
  readonly tracing?: Tracing | undefined;
}

/** The share of its own rows a sample must yield. */
const sampleFloor = 0.9;

export function createUpstreams(
  config: Pick<Config, "data" | "variable" | "mask"> & Partial<Pick<Config, "operator" | "proxy">>,
  clock: () => Date,
  random: () => number,
  outside: Outside = {},
): Upstreams {
  const { mask } = config;
  if (config.data === "sample") return sampleUpstreams(clock, 0, mask);
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
  };
  return upstreams;
}

function sampleUpstreams(clock: () => Date, daysBefore: number, mask: Mask): Upstreams {
  return {
    origin: "sample",
    now: () => new Date(clock().getTime() - daysBefore * dayMs),
    upstreamOf: ({ name }) => sampleUpstream(name, clock, daysBefore),
    floorOf: ({ name, rows }) => Math.ceil((sampleIndex(name)?.rows ?? rows.atLeast) * sampleFloor),
    missingOf: () => [],
    earlierDays: (sources) =>
      [...new Set(sources.flatMap(({ name }) => sampleDays(name, clock())))].sort((a, b) => b - a),
    before: (days) => sampleUpstreams(clock, days, mask),
    mask,
  };
}

/** From what a dataset is made now: what is all our own is real in every mode. */
export function originOf(
  dataset: Parameters<typeof isOwn>[0],
  { origin }: Pick<Upstreams, "origin">,
): Upstreams["origin"] {
  return isOwn(dataset) ? "live" : origin;
}

/** What has to be set, as `variable` or `variable=value`, before a source is asked live. */
export function missing(source: SourceTerms, value: Config["variable"]): readonly string[] {
  const { name, variables, chosenBy } = source;
  const unset = variables.filter((variable) => !value(variable));
  const permission = permissionOf(source);
  if (permission !== undefined && value(permission) !== "on") unset.push(`${permission}=on`);
  if (chosenBy !== undefined && (value(chosenBy) || defaultOf(chosenBy)) !== name) unset.push(`${chosenBy}=${name}`);
  return unset;
}

/** Under restrictive terms a source runs only where the operator has said so, with this variable. */
export function permissionOf({ name, license, permission }: SourceTerms): string | undefined {
  if (license.kind !== "restricted") return undefined;
  return permission ?? `IDS_SOURCE_${name.toUpperCase().replaceAll("-", "_")}`;
}

import { create, type DescMessage, fromJson, getOption, hasOption, type JsonValue } from "@bufbuild/protobuf";
import { field as ruleOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { saysUnavailable } from "../../src/contract/availability.ts";
import { catalog, type Operation } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";
import { datasets } from "../../src/domains/index.ts";
import type { ScheduledDataset } from "../../src/ingest/scheduled.ts";
import { servableMinutes } from "../../src/store/served/dataset-age.ts";
import type { TestApp } from "./app.ts";

/** A read and the datasets that its answer is made from, those behind them included. */
export interface ServedRead {
  readonly operation: Operation;
  readonly path: string;
  readonly behind: readonly ScheduledDataset[];
}

/** What an answer told of the data behind it. */
export interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly flags: readonly string[];
  readonly cache: string;
  readonly network: string | null;
  readonly origin: string | null;
  readonly ageSeconds: number | undefined;
  readonly stale: boolean;
  readonly missing: string;
  readonly retryAfter: string | null;
}

/** Parameters beside those that the contract demands. */
const given: Readonly<Record<string, readonly string[]>> = {
  ListMilitaryBases: ["ne_lat", "ne_lon", "sw_lat", "sw_lon"],
  GetCompanyEnrichment: ["ticker"],
};

/** Every read that a dataset serves, asked with the contract's own examples. */
export const servedReads: readonly ServedRead[] = catalog.flatMap((operation) => {
  const direct = datasets.filter(({ serves }) => serves.includes(operation.method));
  if (!operation.read || direct.length === 0) return [];
  return [{ operation, path: pathOf(operation), behind: direct.flatMap(withMain) }];
});

function withMain(dataset: ScheduledDataset): ScheduledDataset[] {
  const main = datasets.filter(({ name }) => dataset.main?.some((part) => part.name === name));
  return [dataset, ...main.flatMap(withMain)];
}

function pathOf({ name, path, method }: Operation): string {
  const query = new URLSearchParams();
  for (const field of method.input.fields) {
    const isDemanded = hasOption(field, ruleOption) && getOption(field, ruleOption).required;
    const example = exampleOf(field);
    if ((isDemanded || given[name]?.includes(field.name)) && example !== undefined)
      query.set(field.name, String(Array.isArray(example) ? example[0] : example));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

export async function ask(app: TestApp, { operation, path }: ServedRead): Promise<Told> {
  const response = await app.get(path);
  const body = (await response.json()) as Told["body"];
  const { headers } = response;
  const age = headers.get("x-data-age");
  return {
    status: response.status,
    body,
    flags: response.ok ? flagsOf(operation.method.output, body) : [],
    cache: headers.get("cache-control") ?? "",
    network: headers.get("cdn-cache-control"),
    origin: headers.get("x-data-origin"),
    ageSeconds: age === null ? undefined : Number(age),
    stale: headers.get("x-data-stale") === "true",
    missing: headers.get("x-data-missing") ?? "",
    retryAfter: headers.get("retry-after"),
  };
}

/** Words by which answers without a flag of their own say that they know nothing. */
const words: Readonly<Record<string, readonly unknown[]>> = {
  level: ["unknown"],
  scored: [0],
  dataVersion: [""],
  industrialState: ["not_loaded", "stale"],
};

function flagsOf(output: DescMessage, body: Readonly<Record<string, unknown>>): string[] {
  const message = create(output, fromJson(output, body as JsonValue));
  const own = saysUnavailable(output)(message)
    ? Object.entries(body).filter(
        ([name, value]) => /^(unavailable|upstreamUnavailable|degraded|stale|error|availability)$/.test(name) && value,
      )
    : [];
  const told = Object.entries(words).filter(([name, values]) => name in body && values.includes(body[name]));
  return [
    ...(saysUnavailable(output)(message) && own.length === 0 ? ["available: false"] : []),
    ...[...own, ...told.map(([name]) => [name, body[name]] as const)].map(([name, value]) => `${name}: ${value}`),
  ];
}

/** Seconds after which the first of what is behind it is stale, and after which the first and the last may not be served. */
export function limitsOf({ behind }: ServedRead) {
  const fresh = behind.map(({ freshForMinutes }) => freshForMinutes * 60);
  const servable = behind.map((dataset) => servableMinutes(dataset) * 60);
  return { fresh: Math.min(...fresh), servable: Math.min(...servable), gone: Math.max(...servable) };
}

/** Seconds that anybody may keep an answer, and how long in all, while it is asked for anew or cannot be. */
export function keptSeconds({ cache, network }: Pick<Told, "cache" | "network">) {
  const of = (name: string, text = cache) => Number(new RegExp(`(?<![-\\w])${name}=(\\d+)`).exec(text)?.[1] ?? 0);
  const kept = Math.max(of("max-age"), of("s-maxage"), of("max-age", network ?? ""));
  return { kept, inAll: kept + Math.max(of("stale-while-revalidate"), of("stale-if-error")) };
}

/** A line of the table. */
export function lineOf(state: string, { operation }: ServedRead, told: Told): string {
  const { status, flags, cache, network, stale, ageSeconds, missing, origin } = told;
  const marks = [
    ...(origin === null ? [] : [`origin ${origin}`]),
    ...(stale ? [`stale ${ageSeconds} s`] : []),
    ...(missing === "" ? [] : [`missing ${missing}`]),
  ];
  const message = status === 200 ? flags.join(", ") : String(told.body.message ?? "");
  return [operation.name, state, status, message, marks.join(", "), cache, network ?? ""].join(" | ");
}

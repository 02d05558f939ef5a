import { create, type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { saysUnavailable } from "../../../src/contract/availability.ts";
import { catalog, type Operation } from "../../../src/contract/catalog.ts";
import { datasets } from "../../../src/domains/index.ts";
import type { ScheduledDataset } from "../../../src/ingest/schedule/scheduled.ts";
import { servableMinutes } from "../../../src/store/served/dataset-age.ts";
import type { TestApp } from "../app.ts";
import { placedQuery } from "../needed-query.ts";

/** A read and the datasets that its answer is made from, those behind them included. */
export interface ServedRead {
  readonly operation: Operation;
  readonly path: string;
  readonly behind: readonly ScheduledDataset[];
}

/** The metadata of a response about its data. */
export interface Reported {
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

/** Every read that a dataset serves, asked with the contract's own examples. */
export const servedReads: readonly ServedRead[] = catalog.flatMap((operation) => {
  const direct = datasets.filter(({ serves }) => serves.includes(operation.method));
  if (!operation.read || direct.length === 0) return [];
  return [{ operation, path: placedQuery(operation), behind: direct.flatMap(withMain) }];
});

function withMain(dataset: ScheduledDataset): ScheduledDataset[] {
  const main = datasets.filter(({ name }) => dataset.main?.some((part) => part.name === name));
  return [dataset, ...main.flatMap(withMain)];
}

export async function sendRequest(app: TestApp, { operation, path }: ServedRead): Promise<Reported> {
  const response = await app.get(path);
  const body = (await response.json()) as Reported["body"];
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
  const reported = Object.entries(words).filter(([name, values]) => name in body && values.includes(body[name]));
  return [
    ...(saysUnavailable(output)(message) && own.length === 0 ? ["available: false"] : []),
    ...[...own, ...reported.map(([name]) => [name, body[name]] as const)].map(([name, value]) => `${name}: ${value}`),
  ];
}

/** Seconds after which the first of what is behind it is stale, and after which the first and the last may not be served. */
export function limitsOf({ behind }: ServedRead) {
  const fresh = behind.map(({ freshForMinutes }) => freshForMinutes * 60);
  const servable = behind.map((dataset) => servableMinutes(dataset) * 60);
  return { fresh: Math.min(...fresh), servable: Math.min(...servable), gone: Math.max(...servable) };
}

/** Seconds for which a shared cache may store a response, and for which it may serve it stale in all. */
export function cachedSeconds({ cache, network }: Pick<Reported, "cache" | "network">) {
  const of = (name: string, text = cache) => Number(new RegExp(`(?<![-\\w])${name}=(\\d+)`).exec(text)?.[1] ?? 0);
  const stored = Math.max(of("max-age"), of("s-maxage"), of("max-age", network ?? ""));
  return { stored, inAll: stored + Math.max(of("stale-while-revalidate"), of("stale-if-error")) };
}

/** A line of the table. */
export function lineOf(state: string, { operation }: ServedRead, reported: Reported): string {
  const { status, flags, cache, network, stale, ageSeconds, missing, origin } = reported;
  const marks = [
    ...(origin === null ? [] : [`origin ${origin}`]),
    ...(stale ? [`stale ${ageSeconds} s`] : []),
    ...(missing === "" ? [] : [`missing ${missing}`]),
  ];
  const message = status === 200 ? flags.join(", ") : String(reported.body.message ?? "");
  return [operation.name, state, status, message, marks.join(", "), cache, network ?? ""].join(" | ");
}

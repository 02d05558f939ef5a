import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset, DatasetSource } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Source } from "../../../gen/es/ids/catalog/v1/source_pb.ts";
import type { DatasetStatus, SourceStatus } from "../../ingest/dataset-status.ts";
import type { LiveSourceStatus } from "../../ingest/health-report.ts";
import type { SourceTerms } from "../../ingest/source.ts";
import { missing } from "../../ingest/upstreams.ts";

/** The same type with any text as a state, because the service may have another version. */
type Reported<T> = T extends string ? string : T extends object ? { readonly [K in keyof T]: Reported<T[K]> } : T;

export type ReportedSource = Reported<SourceStatus>;
export type ReportedDataset = Reported<DatasetStatus>;
export type ReportedLookup = Reported<LiveSourceStatus>;

const withinMs = 5_000;

/** Reads the catalog of a running service. The requirements of unconfigured sources come from `known`. */
export async function servedStatus(baseUrl: string, known: readonly SourceTerms[]) {
  const transport = createConnectTransport({ baseUrl, httpVersion: "1.1", defaultTimeoutMs: withinMs });
  const catalog = createClient(CatalogService, transport);
  const [{ datasets }, { sources }] = await Promise.all([catalog.listDatasets({}), catalog.listSources({})]);
  const needs = new Map(known.map((source) => [source.name, needsOf(source)]));
  return {
    datasets: datasets.map((dataset) => reportedDataset(dataset, needs)),
    lookups: sources.filter(({ askedBy }) => askedBy.length > 0).map((source) => reportedLookup(source, needs)),
  };
}

/** The missing settings of each source, as `variable` or `variable=value`. */
type Needs = ReadonlyMap<string, readonly string[]>;

function needsOf(source: SourceTerms): readonly string[] {
  const { name, chosenBy } = source;
  const needs = missing(source, () => undefined);
  return needs.length === 0 && chosenBy !== undefined ? [`${chosenBy}=${name}`] : needs;
}

function reportedDataset(dataset: Dataset, needs: Needs): ReportedDataset {
  const { name, state, reason, origin, generation, rows, ageSeconds, missingParts, sources, tables, failure } = dataset;
  return {
    name,
    state,
    ...given({
      reason,
      origin,
      generation: generation === undefined ? undefined : Number(generation),
      rows,
      storedAt: iso(dataset.storedAt),
      readAt: iso(dataset.readAt),
      ageSeconds,
      missingParts: missingParts.length > 0 ? missingParts : undefined,
      tables:
        tables.length > 0 ? tables.map(({ name, reviewedAt }) => ({ name, ...given({ reviewedAt }) })) : undefined,
      error: failure,
    }),
    sources: sources.map((source) => reportedSource(source, needs.get(source.name) ?? [])),
  };
}

function reportedSource(source: DatasetSource, needs: readonly string[]): ReportedSource {
  const { name, state, missingVariables, license, runs, failures, rowsIn, rowsOut, rejected, missingParts } = source;
  return {
    name,
    state,
    missing: missingVariables.map((variable) => needs.find((each) => each.split("=", 1)[0] === variable) ?? variable),
    license: { kind: license?.kind ?? "", terms: license?.terms ?? "" },
    runs,
    failures,
    ...given({
      error: source.failure,
      status: source.failureStatus,
      lastRunAt: iso(source.lastRunAt),
      lastGoodAt: iso(source.lastGoodAt),
      lastGoodAgeSeconds: source.lastGoodAgeSeconds,
      observedFrom: iso(source.observedFrom),
      observedTo: iso(source.observedTo),
      rowsIn,
      rowsOut,
      rejected,
      available: source.available === undefined ? undefined : Number(source.available),
      missingParts: missingParts.length > 0 ? missingParts.map(reportedPart) : undefined,
      drifts: source.drifts > 0 ? source.drifts : undefined,
    }),
  };
}

function reportedPart({ part, failure, failureStatus, lastGoodAt }: DatasetSource["missingParts"][number]) {
  return { part, error: failure, ...given({ status: failureStatus, lastGoodAt: iso(lastGoodAt) }) };
}

function reportedLookup({ name, askedBy: requestedBy, configured, license }: Source, needs: Needs): ReportedLookup {
  return {
    name,
    operation: requestedBy.join(", "),
    state: configured ? "ready" : "unconfigured",
    missing: configured ? [] : (needs.get(name) ?? []),
    license: { kind: license?.kind ?? "", terms: license?.terms ?? "" },
  };
}

function given<T extends object>(values: T) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function iso(at: bigint | undefined): string | undefined {
  return at === undefined ? undefined : new Date(Number(at)).toISOString();
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { SourceSchema } from "../../../gen/es/ids/catalog/v1/source_pb.ts";
import type { StateSpanSchema } from "../../../gen/es/ids/catalog/v1/states_pb.ts";
import { markSample } from "../../contract/request-context.ts";
import { invalidField } from "../../errors.ts";
import type { DatasetStatus, SourceStatus } from "../../ingest/dataset-status.ts";
import type { OperationInputs } from "../../ingest/graph.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { LiveSource, SourceTerms } from "../../ingest/source.ts";
import { type StateSpan, stateSpans, storedStateDays } from "../../ingest/states.ts";
import { variablesOf } from "../../ingest/upstreams.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { historyStarts } from "../../store/history/generations.ts";
import type { ServedParts } from "../../store/served/served.ts";
import { type ReadHeldFrom, type ReadRows, rowCounter } from "./count-rows.ts";
import { coverageReader } from "./coverage.ts";
import { coverageLister } from "./coverage-list.ts";
import { datasetMessage } from "./dataset-message.ts";
import { listSourceReads } from "./source-reads.ts";

interface SourceListParts {
  readonly datasets: readonly ScheduledDataset[];
  readonly lookups: readonly LiveSource[];
  readonly origins: readonly OperationInputs[];
  readonly missingOf: (source: SourceTerms) => readonly string[];
}

type State = SourceStatus["state"] | "ready";

/** The states of sources, from worst to best. Sources are listed in this order. */
const states: readonly State[] = ["failed", "refused", "unconfigured", "partial", "waiting", "ok", "ready"];

function sourceLister({ datasets, lookups, origins: inputs, missingOf }: SourceListParts) {
  const sources = Map.groupBy([...datasets.flatMap((each): SourceTerms[] => [...each.sources]), ...lookups], nameOf);
  const uses = [...sources.values()].flatMap(([source]) =>
    source ? [{ source, ...usesOf(source, { datasets, lookups, inputs }) }] : [],
  );
  return (statuses: readonly DatasetStatus[]): MessageInitShape<typeof SourceSchema>[] =>
    uses.map(({ source, datasets: ofDatasets, operations, askedBy }) => {
      const configured = missingOf(source).length === 0;
      const found = statuses.flatMap((status) => status.sources.filter(({ name }) => name === source.name));
      const lookupState: State[] = askedBy.length > 0 ? [configured ? "ready" : "unconfigured"] : [];
      const all = [...found.map(({ state }) => state), ...lookupState];
      return {
        ...metadata(source),
        state: states.find((state) => all.includes(state)) ?? "waiting",
        configured,
        datasets: ofDatasets,
        operations,
        askedBy,
      };
    });
}

function usesOf(
  { name }: SourceTerms,
  { datasets, lookups, inputs }: Pick<SourceListParts, "datasets" | "lookups"> & { inputs: readonly OperationInputs[] },
) {
  const isThis = (source: { readonly name: string }) => source.name === name;
  const made = inputs.filter(
    (each) => each.lookups.some(isThis) || each.datasets.some(({ sources }) => sources.some(isThis)),
  );
  return {
    datasets: datasets.filter(({ sources }) => sources.some(isThis)).map(nameOf),
    operations: made.map(({ method }) => method.name),
    askedBy: lookups.filter(isThis).flatMap(({ serves }) => serves.map(nameOf)),
  };
}

function metadata(source: SourceTerms): MessageInitShape<typeof SourceSchema> {
  const { name, license, access, chosenBy } = source;
  const choice = chosenBy === undefined ? [] : [{ name: chosenBy, kind: "choice" }];
  return {
    name,
    license: { ...license },
    ...(access && { access: accessMessage(access) }),
    variables: [...variablesOf(source), ...choice].map(({ name, kind }) => ({ name, kind })),
  };
}

function accessMessage({ signUp, minutes, cost, quota, terms }: NonNullable<SourceTerms["access"]>) {
  return { signUp, minutes, cost, quota, terms };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

interface CatalogParts extends ServedParts {
  readonly data: "live" | "sample";
  readonly readRows: ReadRows;
  readonly catalog: SourceListParts & { readonly statuses: () => Promise<readonly DatasetStatus[]> };
}

export const catalog = { implement };

function implement(parts: CatalogParts): ServiceImpl<typeof CatalogService> {
  const { datasets, statuses } = parts.catalog;
  const coverage = coverageReader(parts.database, parts.served);
  const readHeldFrom: ReadHeldFrom = async (method) => {
    const found = await Promise.all(datasets.filter(({ serves }) => serves.includes(method)).map(coverage));
    const rows = found.flatMap((each) => (each ? [...each.countries, ...each.sources] : []));
    return rows.flatMap(({ firstAt }) => (firstAt === undefined ? [] : [Number(firstAt)])).sort((a, b) => a - b)[0];
  };
  const listCoverage = coverageLister(coverage);
  const listSources = sourceLister(parts.catalog);
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  const sources = datasets.flatMap((dataset) => dataset.sources).filter(({ own }) => !own);
  const sourceNames = new Map(sources.map((source) => [source.name, source]));
  const messages = async () => {
    const [all, starts] = await Promise.all([statuses(), historyStarts(parts.database, parts.data)]);
    return all.flatMap((status) => {
      const dataset = byName.get(status.name);
      return dataset ? [datasetMessage(dataset, status, starts.get(status.name))] : [];
    });
  };
  return {
    async listDatasets(_request, context) {
      const all = await messages();
      noteSamples(all, context);
      return { datasets: all };
    },

    async getDataset({ name }, context) {
      const known = byName.get(name);
      if (!known) return reject("name", name, byName);
      const [all, counted] = await Promise.all([messages(), coverage(known)]);
      const dataset = all.find((each) => each.name === name);
      noteSamples(dataset ? [dataset] : [], context);
      return { ...(dataset && { dataset }), ...(counted && { coverage: counted }) };
    },

    async listCoverage({ dataset, country }, context) {
      const known = byName.get(dataset);
      if (dataset !== "" && !known) return reject("dataset", dataset, byName);
      const chosen = known ? [known] : datasets;
      noteSamples(
        chosen.flatMap((each) => parts.served.visible(each)?.provenance ?? []),
        context,
      );
      return listCoverage(chosen, { dataset, country });
    },

    countRows: rowCounter(parts.readRows, readHeldFrom),

    async listStates({ dataset }) {
      if (dataset !== "" && !byName.has(dataset)) reject("dataset", dataset, byName);
      const since = isoDay(parts.clock().getTime() - (storedStateDays - 1) * dayMs);
      const spans = await stateSpans(parts.database, { dataset, since });
      return { spans: spans.map(spanMessage), since };
    },

    async listSourceReads({ source, digest }) {
      if (!sourceNames.has(source)) reject("source", source, sourceNames);
      return { source, reads: await listSourceReads(parts.database, { source, digest, data: parts.data }) };
    },

    async listSources() {
      return { sources: listSources(await statuses()) };
    },
  };
}

function reject(field: string, name: string, known: ReadonlyMap<string, unknown>): never {
  const description = `${name} is not a ${field === "source" ? field : "dataset"}: value must be one of ${[...known.keys()].join(", ")}`;
  throw invalidField(field, description);
}

function spanMessage({ times, ...span }: StateSpan): MessageInitShape<typeof StateSpanSchema> {
  return { ...span, minutes: times.map(({ state, seconds }) => ({ state, minutes: Math.round(seconds / 60) })) };
}

/** Marks a response as sample data if it lists samples, because the dates in it are invented too. */
function noteSamples(listed: readonly { readonly origin?: string | undefined }[], context: HandlerContext) {
  if (listed.some(({ origin }) => origin === "sample")) markSample(context);
}

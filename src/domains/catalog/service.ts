import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { StateSpanSchema } from "../../../gen/es/ids/catalog/v1/states_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import type { DatasetStatus } from "../../ingest/dataset-status.ts";
import { keptStateDays } from "../../ingest/states/state-days.ts";
import { type StateSpan, stateSpans } from "../../ingest/states/state-spans.ts";
import { dayMs } from "../../reference/duration.ts";
import { historyStarts } from "../../store/history/generations.ts";
import type { Served } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { coverageReader } from "./coverage.ts";
import { datasetMessage } from "./dataset-message.ts";
import { type SourceListParts, sourceLister } from "./source-list.ts";

/** What the catalog is made from. */
export interface CatalogParts extends SourceListParts {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  readonly clock: () => Date;
  readonly data: "live" | "sample";
  /** How every dataset stands now. */
  readonly statuses: () => Promise<readonly DatasetStatus[]>;
}

/** The datasets and sources of this program, and how they stand. */
export function catalog(parts: CatalogParts): ServiceImpl<typeof CatalogService> {
  const { datasets, statuses } = parts;
  const coverage = coverageReader(parts.database, parts.served);
  const listSources = sourceLister(parts);
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  const messages = async () => {
    const [all, kept] = await Promise.all([statuses(), historyStarts(parts.database, parts.data)]);
    return all.flatMap((status) => {
      const dataset = byName.get(status.name);
      return dataset ? [datasetMessage(dataset, status, kept.get(status.name))] : [];
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
      if (!known) return refuse("name", name, byName);
      const [all, counted] = await Promise.all([messages(), coverage(known)]);
      const dataset = all.find((each) => each.name === name);
      noteSamples(dataset ? [dataset] : [], context);
      return { ...(dataset && { dataset }), ...(counted && { coverage: counted }) };
    },

    async listStates({ dataset }) {
      if (dataset !== "" && !byName.has(dataset)) refuse("dataset", dataset, byName);
      const since = new Date(parts.clock().getTime() - (keptStateDays - 1) * dayMs).toISOString().slice(0, 10);
      const spans = await stateSpans(parts.database, { dataset, since });
      return { spans: spans.map(spanMessage), since };
    },

    async listSources() {
      return { sources: listSources(await statuses()) };
    },
  };
}

function refuse(field: string, name: string, known: ReadonlyMap<string, unknown>): never {
  const description = `${name} is no dataset: value must be one of ${[...known.keys()].join(", ")}`;
  throw new InvalidRequest([{ field, description }]);
}

function spanMessage({ times, ...span }: StateSpan): MessageInitShape<typeof StateSpanSchema> {
  return { ...span, minutes: times.map(({ state, seconds }) => ({ state, minutes: Math.round(seconds / 60) })) };
}

/** Rows and dates of samples are invented, here too. */
function noteSamples(listed: readonly { readonly origin?: string | undefined }[], { responseHeader }: HandlerContext) {
  if (listed.some(({ origin }) => origin === "sample")) responseHeader.set("X-Data-Origin", "sample");
}

import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import type { DatasetStatus } from "../../ingest/dataset-status.ts";
import type { Served } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { coverageReader } from "./coverage.ts";
import { datasetMessage } from "./dataset-message.ts";
import { type SourceListParts, sourceLister } from "./source-list.ts";

/** What the catalog is made from. */
export interface CatalogParts extends SourceListParts {
  readonly database: Kysely<StoreTables>;
  readonly served: Served;
  /** How every dataset stands now. */
  readonly statuses: () => Promise<readonly DatasetStatus[]>;
}

/** The datasets and sources of this program, and how they stand. */
export function catalog(parts: CatalogParts): ServiceImpl<typeof CatalogService> {
  const { datasets, statuses } = parts;
  const coverage = coverageReader(parts.database, parts.served);
  const listSources = sourceLister(parts);
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  const messages = async () =>
    (await statuses()).flatMap((status) => {
      const dataset = byName.get(status.name);
      return dataset ? [datasetMessage(dataset, status)] : [];
    });
  return {
    async listDatasets(_request, context) {
      const all = await messages();
      noteSamples(all, context);
      return { datasets: all };
    },

    async getDataset({ name }, context) {
      const known = byName.get(name);
      if (!known) {
        const description = `${name} is no dataset: value must be one of ${[...byName.keys()].join(", ")}`;
        throw new InvalidRequest([{ field: "name", description }]);
      }
      const [all, counted] = await Promise.all([messages(), coverage(known)]);
      const dataset = all.find((each) => each.name === name);
      noteSamples(dataset ? [dataset] : [], context);
      return { ...(dataset && { dataset }), ...(counted && { coverage: counted }) };
    },

    async listSources() {
      return { sources: listSources(await statuses()) };
    },
  };
}

/** Rows and dates of samples are invented, here too. */
function noteSamples(listed: readonly { readonly origin?: string | undefined }[], { responseHeader }: HandlerContext) {
  if (listed.some(({ origin }) => origin === "sample")) responseHeader.set("X-Data-Origin", "sample");
}

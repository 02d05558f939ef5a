import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import type { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import type { DatasetStatus } from "../../ingest/dataset-status.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { StoreTables } from "../../store/tables.ts";
import { datasetEntry } from "./dataset-entry.ts";
import { type SourceParts, sourceEntries } from "./source-entries.ts";

export interface CatalogParts extends SourceParts {
  readonly database: Kysely<StoreTables>;
  readonly datasets: readonly ScheduledDataset[];
  /** How every dataset stands; rejects while the store cannot be read. */
  readonly statuses: () => Promise<readonly DatasetStatus[]>;
}

/** What the service has, and how it stands. */
export function catalog(parts: CatalogParts): ServiceImpl<typeof CatalogService> {
  const { database, datasets, statuses } = parts;
  const entries = (known: readonly DatasetStatus[], context: HandlerContext) =>
    datasets.flatMap((dataset) => {
      const status = known.find(({ name }) => name === dataset.name);
      if (status?.origin === "sample") context.responseHeader.set("X-Data-Origin", "sample");
      return status ? [datasetEntry(dataset, status)] : [];
    });
  return {
    async listDatasets(_request, context) {
      return { datasets: entries(await statuses(), context) };
    },
    async getDataset({ name }, context) {
      const asked = datasets.find((known) => known.name === name);
      if (!asked) throw unknownDataset(datasets);
      const status = (await statuses()).filter((known) => known.name === name);
      const [dataset] = entries(status, context);
      const countries = status.some(({ rows }) => rows !== undefined) ? await readCountries(database, name) : [];
      return { ...(dataset && { dataset }), counted: countries.length > 0, countries };
    },
    async listSources() {
      return { sources: sourceEntries(parts, await statuses()) };
    },
  };
}

function unknownDataset(datasets: readonly { readonly name: string }[]): InvalidRequest {
  const names = datasets.map(({ name }) => name);
  return new InvalidRequest([{ field: "name", description: `value must be one of ${names.join(", ")}` }]);
}

async function readCountries(database: Kysely<StoreTables>, dataset: string) {
  const rows = await database
    .selectFrom("dataset_country")
    .select(["source", "country", "rows", "first_at", "last_at"])
    .where("dataset", "=", dataset)
    .orderBy("country")
    .orderBy("source")
    .execute();
  return rows.map(({ first_at: first, last_at: last, ...row }) => ({
    ...row,
    ...(first && { firstAt: BigInt(first.getTime()) }),
    ...(last && { lastAt: BigInt(last.getTime()) }),
  }));
}

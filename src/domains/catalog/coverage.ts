import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type { DatasetCoverageSchema } from "../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import type { RowCount } from "../../ingest/dataset.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import { broughtRows } from "../../ingest/stored-metadata.ts";
import type { Served, Visible } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { messageRows } from "./message-rows.ts";

type Coverage = MessageInitShape<typeof DatasetCoverageSchema>;

/** Counts the rows of a dataset. Returns undefined if no generation is visible. */
export type ReadCoverage = (dataset: ScheduledDataset) => Promise<Coverage | undefined>;

/** Counts the rows of each generation once, at the first request. */
export function coverageReader(database: Kysely<StoreTables>, served: Served): ReadCoverage {
  const counted = new Map<string, { readonly generation: number; readonly coverage: Promise<Coverage> }>();
  return async (dataset) => {
    const { name } = dataset;
    const visible = served.visible(dataset);
    if (!visible) return undefined;
    const { generation } = visible.provenance;
    const known = counted.get(name);
    if (known?.generation === generation) return known.coverage;
    const coverage = coverageOf(database, dataset, visible);
    counted.set(name, { generation, coverage });
    coverage.catch(() => counted.delete(name));
    return coverage;
  };
}

async function coverageOf(
  database: Kysely<StoreTables>,
  dataset: ScheduledDataset,
  visible: Visible,
): Promise<Coverage> {
  const [counts, brought] = await Promise.all([
    countedRows(database, dataset, visible),
    broughtRows(database, visible.provenance),
  ]);
  const located = counts.filter(({ country }) => country !== "");
  const named = counts.filter(({ source }) => source !== null);
  const only = dataset.sources.length === 1 ? dataset.sources[0]?.name : undefined;
  const bySource = named.length > 0 ? named : only === undefined ? brought : counts;
  return {
    countries: summed(located, ({ country }) => country).map(([country, sums]) => ({ country, ...sums })),
    rowsWithoutCountry: rowsIn(counts) - rowsIn(located),
    sources: summed(bySource, ({ source }) => source ?? only ?? "").map(([source, sums]) => ({ source, ...sums })),
  };
}

/** Rows without a country count as one group. */
async function countedRows(
  database: Kysely<StoreTables>,
  { countRows, message: schema }: ScheduledDataset,
  { provenance, message }: Visible,
): Promise<readonly RowCount[]> {
  if (countRows) return countRows(database, provenance.generation);
  const rows = schema && message ? messageRows(schema, message) : [];
  if (rows.length > 0 || provenance.rows === 0) return rows;
  return [{ source: null, country: "", rows: provenance.rows, first: null, last: null }];
}

function summed(counts: readonly RowCount[], keyOf: (count: RowCount) => string) {
  const groups = [...Map.groupBy(counts, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, group]) => {
    const first = group.flatMap((each) => each.first ?? []);
    const last = group.flatMap((each) => each.last ?? []);
    const sums = {
      rows: rowsIn(group),
      ...(first.length > 0 && { firstAt: BigInt(Math.min(...first)) }),
      ...(last.length > 0 && { lastAt: BigInt(Math.max(...last)) }),
    };
    return [key, sums] as const;
  });
}

function rowsIn(counts: readonly RowCount[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0);
}

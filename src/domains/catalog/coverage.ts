import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type { DatasetCoverageSchema } from "../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import type { RowCount } from "../../ingest/row-count.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { Served, Visible } from "../../store/served/served.ts";
import type { StoreTables } from "../../store/tables.ts";
import { messageRows } from "./message-rows.ts";

type Coverage = MessageInitShape<typeof DatasetCoverageSchema>;

/** Counts the rows of a dataset; undefined where none is visible, or none names a country. */
export type ReadCoverage = (dataset: ScheduledDataset) => Promise<Coverage | undefined>;

/** Counts the rows of each generation once, when they are first asked for. */
export function coverageReader(database: Kysely<StoreTables>, served: Served): ReadCoverage {
  const counted = new Map<string, { readonly generation: number; readonly coverage: Promise<Coverage | undefined> }>();
  return async (dataset) => {
    const { name } = dataset;
    const visible = served.visible(dataset);
    if (!visible) return undefined;
    const { generation } = visible.provenance;
    const known = counted.get(name);
    if (known?.generation === generation) return known.coverage;
    const coverage = countedRows(database, dataset, visible).then((rows) => coverageOf(rows, dataset));
    counted.set(name, { generation, coverage });
    coverage.catch(() => counted.delete(name));
    return coverage;
  };
}

async function countedRows(
  database: Kysely<StoreTables>,
  { countRows, message: schema }: ScheduledDataset,
  { provenance, message }: Visible,
): Promise<readonly RowCount[]> {
  if (countRows) return countRows(database, provenance.generation);
  return schema && message ? messageRows(schema, message) : [];
}

function coverageOf(counts: readonly RowCount[], { sources }: ScheduledDataset): Coverage | undefined {
  const located = counts.filter(({ country }) => country !== "");
  if (located.length === 0) return undefined;
  // Where there is but one source, every row is its own.
  const only = sources.length === 1 ? (sources[0]?.name ?? "") : "";
  const countries = summed(located, ({ country }) => country);
  const bySource = summed(counts, ({ source }) => source ?? only);
  return {
    countries: countries.map(([country, sums]) => ({ country, ...sums })),
    rowsWithoutCountry: rowsIn(counts) - rowsIn(located),
    sources: bySource.flatMap(([source, sums]) => (source === "" ? [] : [{ source, ...sums }])),
  };
}

/** By a key of theirs, in its order. */
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

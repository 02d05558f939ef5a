import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CoverageRowSchema,
  ListCoverageRequest,
  ListCoverageResponseSchema,
} from "../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import { groupOf } from "../../contract/request/country-parameter.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { Coverage, ReadCoverage } from "./coverage.ts";

type Row = MessageInitShape<typeof CoverageRowSchema>;

/** Creates the list of what datasets cover. It counts one dataset at a time, so that other requests run in between. */
export function coverageLister(coverage: ReadCoverage) {
  return async (
    datasets: readonly ScheduledDataset[],
    { dataset: wanted, country }: Pick<ListCoverageRequest, "dataset" | "country">,
  ): Promise<MessageInitShape<typeof ListCoverageResponseSchema>> => {
    const listed: Row[] = [];
    for (const dataset of datasets) {
      const counted = await coverage(dataset);
      const rows = rowsOf(dataset, counted).filter((row) => country === "" || row.country === country);
      const isAbsent = rows.length === 0 && (wanted !== "" || country === "");
      listed.push(...(isAbsent ? [absentRow(dataset, counted, country)] : rows));
    }
    return { coverage: listed };
  };
}

function rowsOf({ name: dataset }: ScheduledDataset, counted: Coverage | undefined): Row[] {
  const { countries = [], rowsWithoutCountry: rows = 0 } = counted ?? {};
  return [...(rows > 0 ? [{ dataset, country: "", rows }] : []), ...countries.map((each) => ({ dataset, ...each }))];
}

function absentRow(dataset: ScheduledDataset, counted: Coverage | undefined, country: string): Row {
  return { dataset: dataset.name, country, rows: 0, reason: reasonOf(dataset, counted, country) };
}

function reasonOf(dataset: ScheduledDataset, counted: Coverage | undefined, country: string): string {
  if (!counted) return "not_loaded";
  const { countries = [], rowsWithoutCountry = 0 } = counted;
  const isOutside = groupsOf(dataset).some((group) => !group.includes(country));
  const hasNoCountry = countries.length === 0 && rowsWithoutCountry > 0;
  if (country !== "" && (isOutside || hasNoCountry)) return "not_covered";
  // A missing row means 0 only in datasets that count events. In other datasets, the value may exist elsewhere.
  return dataset.series?.absentIsZero ? "no_rows" : "unknown";
}

/**
 * Returns the groups of countries to which the operations or the series of a dataset are limited. Series of only some
 * sources do not count, because other rows may have other countries.
 */
function groupsOf({ serves, series }: ScheduledDataset): (readonly string[])[] {
  const ofReads = serves.flatMap(({ input }) => input.fields.flatMap((field) => groupOf(field) ?? []));
  const ofSeries = series?.series.flatMap(({ keyParts, keys, sources }) =>
    keys && !sources && keyParts[0] === "country" ? [keys] : [],
  );
  return [...ofReads.map(({ alpha2 }) => alpha2), ...(ofSeries ?? [])];
}

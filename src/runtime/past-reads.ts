import type { DescMethod } from "@bufbuild/protobuf";
import { CountryService } from "../../gen/es/ids/country/v1/country_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import type { Operation } from "../contract/catalog.ts";
import { datasets, operationOrigins } from "../domains/index.ts";
import { isStored } from "../ingest/dataset.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";

/**
 * The datasets that a read serves and those that determine their age, or the reason why it does not support `as_of`.
 */
export type PastReads =
  | { readonly serving: readonly ScheduledDataset[]; readonly behind: readonly ScheduledDataset[] }
  | { readonly rejection: string };

export function pastReads(method: DescMethod): PastReads {
  const origins = operationOrigins.find((each) => each.method === method);
  const [live] = origins?.lookups ?? [];
  if (live) return { rejection: `${live.name} is called during the request` };
  const all: readonly ScheduledDataset[] = datasets;
  const serving = all.filter(({ serves }) => serves.includes(method));
  if (serving.length === 0) return { rejection: "the response does not use stored data" };
  const unversioned = serving.find((dataset) => !isStored(dataset));
  if (unversioned) return { rejection: `earlier versions of ${unversioned.name} are not stored` };
  const names = new Set(serving.flatMap((dataset) => mainOf(dataset, all)));
  return { serving, behind: all.filter(({ name }) => names.has(name)) };
}

/** Reads that implement `as_of` themselves: a brief passes it to its parts, and a series contains its history. */
const ownPast: readonly DescMethod[] = [CountryService.method.getCountryBrief, HistoryService.method.getSeries];

export function knowsPast(method: DescMethod): boolean {
  return ownPast.includes(method);
}

export function hasPast({ read, method }: Operation): boolean {
  return read && (knowsPast(method) || "serving" in pastReads(method));
}

/** Returns the name of a dataset and of the datasets that it is mainly derived from, directly or not. */
function mainOf({ name, main = [] }: ScheduledDataset, all: readonly ScheduledDataset[]): string[] {
  const inputs = all.filter((each) => main.some((part) => part.name === each.name));
  return [name, ...inputs.flatMap((input) => mainOf(input, all))];
}

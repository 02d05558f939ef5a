import type { DescMethod } from "@bufbuild/protobuf";
import { CountryService } from "../../gen/es/ids/country/v1/country_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import type { Operation } from "../contract/catalog.ts";
import { datasets, operationOrigins } from "../domains/index.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { isStored } from "../ingest/stored-rows.ts";

/** The datasets that a read takes its answers from, and those that say how old these are; or why it has none of the past. */
export type PastReads =
  | { readonly serving: readonly ScheduledDataset[]; readonly behind: readonly ScheduledDataset[] }
  | { readonly rejection: string };

/** Whether the answers of a read can be had as of an earlier moment. */
export function pastReads(method: DescMethod): PastReads {
  const origins = operationOrigins.find((each) => each.method === method);
  const [live] = origins?.lookups ?? [];
  if (live) return { rejection: `${live.name} is asked while the caller waits` };
  const all: readonly ScheduledDataset[] = datasets;
  const serving = all.filter(({ serves }) => serves.includes(method));
  if (serving.length === 0) return { rejection: "the response is made from no data that are kept" };
  const unkept = serving.find((dataset) => !isStored(dataset));
  if (unkept) return { rejection: `of ${unkept.name} no earlier versions are kept` };
  const names = new Set(serving.flatMap((dataset) => mainOf(dataset, all)));
  return { serving, behind: all.filter(({ name }) => names.has(name)) };
}

/** Reads that know the past themselves: a brief asks its parts, a series has it. */
const ownPast: readonly DescMethod[] = [CountryService.method.getCountryBrief, HistoryService.method.getSeries];

export function knowsPast(method: DescMethod): boolean {
  return ownPast.includes(method);
}

/** Whether `as_of` is understood. */
export function hasPast({ read, method }: Operation): boolean {
  return read && (knowsPast(method) || "serving" in pastReads(method));
}

/** A dataset's own name and those of the datasets that it is mainly made from, at any remove. */
function mainOf({ name, main = [] }: ScheduledDataset, all: readonly ScheduledDataset[]): string[] {
  const inputs = all.filter((each) => main.some((part) => part.name === each.name));
  return [name, ...inputs.flatMap((input) => mainOf(input, all))];
}

import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import type { Manifest } from "./manifest.ts";

export function licensesBehind(dataset: ScheduledDataset, all: readonly ScheduledDataset[]): Manifest["licenses"] {
  const sources = datasetsBehind(dataset, all).flatMap((each) => each.sources);
  const named = sources.map(({ name, license }) => [name, { source: name, kind: license.kind, terms: license.terms }]);
  return Object.values(Object.fromEntries(named));
}

/** A dataset and all datasets that it is derived from, directly or not. */
export function datasetsBehind(
  dataset: ScheduledDataset,
  all: readonly ScheduledDataset[],
): readonly ScheduledDataset[] {
  return [...new Set(madeFrom(dataset, all))];
}

function madeFrom(dataset: ScheduledDataset, all: readonly ScheduledDataset[]): ScheduledDataset[] {
  const inputs = (dataset.reads ?? []).flatMap(({ name }) => all.find((each) => each.name === name) ?? []);
  return [dataset, ...inputs.flatMap((input) => madeFrom(input, all))];
}

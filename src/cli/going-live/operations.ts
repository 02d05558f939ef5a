import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { LiveSource, SourceTerms } from "../../ingest/source.ts";

export interface Origins {
  readonly datasets: readonly ScheduledDataset[];
  readonly lookups: readonly LiveSource[];
}

/** Returns the names of the operations that work if only these sources are ready. */
export function servedOperations({ datasets, lookups }: Origins, isReady: (source: SourceTerms) => boolean): string[] {
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  const isLoaded = (dataset: ScheduledDataset): boolean => {
    const { sources, reads = [], main = [] } = dataset;
    const made = reads.flatMap(({ name }) => byName.get(name) ?? []);
    const isMain = ({ name }: { readonly name: string }) => main.some((needed) => needed.name === name);
    return (
      (sources.some(isReady) || (sources.length === 0 && made.some(isLoaded))) &&
      sources.filter(isMain).every(isReady) &&
      made.filter(isMain).every(isLoaded)
    );
  };
  return operationsOf({ datasets, lookups }).filter((name) => {
    const serving = datasets.filter(({ serves }) => serves.some((method) => method.name === name));
    const requesting = lookups.filter(({ serves }) => serves.some((method) => method.name === name));
    return serving.length > 0
      ? serving.every(isLoaded)
      : requesting.some((lookup) => lookup.inPlaceOfOwn || isReady(lookup));
  });
}

export function operationsOf({ datasets, lookups }: Origins): string[] {
  return [...new Set([...datasets, ...lookups].flatMap(({ serves }) => serves.map(({ name }) => name)))];
}

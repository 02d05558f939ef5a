import { operationInputs, sourcesBehind } from "../ingest/graph.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import type { LiveSource, SourceAccess, SourceTerms } from "../ingest/source.ts";
import { type SourceVariable, variablesOf } from "../ingest/upstreams.ts";

/** A step of the setup: variables that belong together, and the operations that they enable. */
export interface Step {
  readonly variables: readonly SourceVariable[];
  readonly sources: readonly string[];
  /** Operations that have live data only if the variables of this step are set. */
  readonly opens: readonly string[];
  /** Operations that use a source of this step, even if they also need other sources. */
  readonly partOf: readonly string[];
  readonly access: Partial<SourceAccess>;
  /** License terms of the sources. */
  readonly terms: readonly string[];
}

/** Returns the steps of the setup. The most useful is first, and those that need only a permission are last. */
export function stepsOf(origins: Origins): readonly Step[] {
  const all = sourcesBehind(origins);
  const needing = all.filter((source) => needed(source).length > 0);
  const free = new Set(servedOperations(origins, isFree));
  const groups = Map.groupBy(needing, (source) =>
    needed(source)
      .map(({ name }) => name)
      .join(),
  );
  return [...groups.values()]
    .map((sources): Step => {
      const names = new Set(sources.map(({ name }) => name));
      const isPart = ({ name }: SourceTerms) => names.has(name);
      const opened = servedOperations(origins, (source) => isFree(source) || isPart(source));
      return {
        variables: [...new Map(sources.flatMap(variablesOf).map((variable) => [variable.name, variable])).values()],
        sources: [...names],
        opens: opened.filter((operation) => !free.has(operation)),
        partOf: involving(origins, isPart),
        access: sources.find(({ access }) => access)?.access ?? {},
        terms: [...new Set(sources.map(({ license }) => `${license.kind}: ${license.terms}`))],
      };
    })
    .sort((a, b) => rank(a) - rank(b) || b.opens.length - a.opens.length || b.partOf.length - a.partOf.length);
}

/** Returns whether a source needs no variable for live data. */
export function isFree(source: SourceTerms): boolean {
  return needed(source).length === 0;
}

/** Returns a function that says whether all variables are set that a source needs. */
export function isReadyWith(isSet: (name: string) => boolean): (source: SourceTerms) => boolean {
  return (source) => needed(source).every(({ name }) => isSet(name));
}

function needed(source: SourceTerms): readonly SourceVariable[] {
  return variablesOf(source).filter(({ kind }) => kind !== "optional");
}

function rank({ variables }: Step): number {
  return variables.some(({ kind }) => kind === "permission") ? 1 : 0;
}

/** Returns the operations that use one of these sources, directly or through other datasets. */
function involving({ datasets, lookups }: Origins, isPart: (source: SourceTerms) => boolean): string[] {
  return operationInputs(datasets, lookups)
    .filter((inputs) => inputs.datasets.some(({ sources }) => sources.some(isPart)) || inputs.lookups.some(isPart))
    .map(({ method }) => method.name);
}

/** Datasets and lookups from which operations get their data. */
export interface Origins {
  readonly datasets: readonly ScheduledDataset[];
  readonly lookups: readonly LiveSource[];
}

/** Returns the operations that work if only the sources that `isReady` accepts are available. */
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

/** Returns the names of all operations that use sources. */
export function operationsOf({ datasets, lookups }: Origins): string[] {
  return [...new Set([...datasets, ...lookups].flatMap(({ serves }) => serves.map(({ name }) => name)))];
}

import { operationInputs, sourcesBehind } from "../../ingest/graph.ts";
import type { SourceAccess, SourceTerms } from "../../ingest/source.ts";
import { type SourceVariable, variablesOf } from "../../ingest/source-variables.ts";
import { type Origins, servedOperations } from "./operations.ts";

export interface Step {
  readonly variables: readonly SourceVariable[];
  readonly sources: readonly string[];
  /** Operations without live data until these variables are set, apart from sources that need none. */
  readonly opens: readonly string[];
  readonly partOf: readonly string[];
  readonly access: Partial<SourceAccess>;
  readonly terms: readonly string[];
}

/** Returns the possible steps, the most useful first and those that need only a permission last. */
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

/** Returns whether a source runs live without any variable. */
export function isFree(source: SourceTerms): boolean {
  return needed(source).length === 0;
}

export function isReadyWith(isSet: (name: string) => boolean): (source: SourceTerms) => boolean {
  return (source) => needed(source).every(({ name }) => isSet(name));
}

function needed(source: SourceTerms): readonly SourceVariable[] {
  return variablesOf(source).filter(({ kind }) => kind !== "optional");
}

function rank({ variables }: Step): number {
  return variables.some(({ kind }) => kind === "permission") ? 1 : 0;
}

/** Returns the operations that directly or indirectly use such a source. */
function involving({ datasets, lookups }: Origins, isPart: (source: SourceTerms) => boolean): string[] {
  return operationInputs(datasets, lookups)
    .filter((inputs) => inputs.datasets.some(({ sources }) => sources.some(isPart)) || inputs.lookups.some(isPart))
    .map(({ method }) => method.name);
}

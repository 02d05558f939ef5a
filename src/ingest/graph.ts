import type { DescMethod } from "@bufbuild/protobuf";
import type { DatasetRef } from "./dataset.ts";
import type { DatasetStatus } from "./dataset-status.ts";
import type { License, LiveSource } from "./source.ts";

export interface GraphDataset extends DatasetRef {
  readonly serves: readonly DescMethod[];
  readonly reads?: readonly DatasetRef[];
  readonly sources: readonly { readonly name: string; readonly license: License }[];
}

export interface OperationInputs<D extends GraphDataset = GraphDataset> {
  readonly method: DescMethod;
  /** The datasets that the operation reads directly, followed by the datasets that these are computed from. */
  readonly datasets: readonly D[];
  readonly lookups: readonly LiveSource[];
}

/** Returns the datasets and lookups of each operation. Throws for an unknown input or a cycle of inputs. */
export function operationInputs<D extends GraphDataset>(
  datasets: readonly D[],
  lookups: readonly LiveSource[],
): readonly OperationInputs<D>[] {
  const methods = new Set([...datasets, ...lookups].flatMap(({ serves }) => serves));
  return [...methods].map((method) => {
    const serving = datasets.filter(({ serves }) => serves.includes(method));
    return {
      method,
      datasets: [...new Set([...serving, ...serving.flatMap((dataset) => madeFrom(dataset, datasets))])],
      lookups: lookups.filter(({ serves }) => serves.includes(method)),
    };
  });
}

export function combinedInputs<D extends GraphDataset>(
  method: DescMethod,
  from: readonly DescMethod[],
  inputs: readonly OperationInputs<D>[],
): OperationInputs<D> {
  const parts = inputs.filter((each) => from.includes(each.method));
  return {
    method,
    datasets: [...new Set(parts.flatMap(({ datasets }) => datasets))],
    lookups: [...new Set(parts.flatMap(({ lookups }) => lookups))],
  };
}

/** Returns every direct and indirect input of a dataset. */
export function madeFrom<D extends GraphDataset>(dataset: D, datasets: readonly D[], above: readonly D[] = []): D[] {
  const path = [...above, dataset];
  return (dataset.reads ?? []).flatMap(({ name }) => {
    const read = datasets.find((known) => known.name === name);
    if (!read) throw new Error(`${dataset.name} reads ${name}, which isn't a dataset`);
    if (path.includes(read)) throw new Error(`${name} is computed from itself`);
    return [read, ...madeFrom(read, datasets, path)];
  });
}

export function sourcesBehind<D extends Pick<GraphDataset, "sources">, L>(inputs: {
  readonly datasets: readonly D[];
  readonly lookups: readonly L[];
}): (D["sources"][number] | L)[] {
  return [...inputs.datasets.flatMap(({ sources }) => sources), ...inputs.lookups];
}

/** Returns the licenses of the operation's sources, or only those of the sources in `named`. */
export function licensesOf(inputs: Omit<OperationInputs, "method">, named?: readonly string[]): License[] {
  const all = sourcesBehind(inputs)
    .filter(({ name }) => named?.includes(name) ?? true)
    .map(({ license }) => license);
  return [...new Map(all.map((license) => [`${license.kind} ${license.terms}`, license])).values()];
}

export interface AffectedOperation {
  readonly operation: string;
  readonly datasets: readonly { readonly name: string; readonly state: DatasetStatus["state"] }[];
  readonly sources: readonly string[];
}

export function affectedOperations(
  inputs: readonly OperationInputs[],
  statuses: readonly DatasetStatus[],
): AffectedOperation[] {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  return inputs.flatMap(({ method, datasets }) => {
    const own = datasets.flatMap(({ name }) => byName.get(name) ?? []).filter(({ state }) => state !== "ok");
    if (own.length === 0) return [];
    const silent = own.flatMap(({ sources }) => sources.filter(({ state }) => state !== "ok")).map(({ name }) => name);
    const states = own.map(({ name, state }) => ({ name, state }));
    return [{ operation: method.name, datasets: states, sources: [...new Set(silent)] }];
  });
}

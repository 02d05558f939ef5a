import type { DescMethod } from "@bufbuild/protobuf";
import type { DatasetRef } from "./dataset.ts";
import type { DatasetStatus } from "./dataset-status.ts";
import type { License, LiveSource } from "./source.ts";

/** A dataset as a node of the graph. */
export interface GraphDataset extends DatasetRef {
  readonly serves: readonly DescMethod[];
  readonly reads?: readonly DatasetRef[];
  readonly sources: readonly { readonly name: string; readonly license: License }[];
}

/** What the answers of an operation are made from. */
export interface OperationInputs<D extends GraphDataset = GraphDataset> {
  readonly method: DescMethod;
  /** Those that serve it first, then those that these are made from. */
  readonly datasets: readonly D[];
  /** Sources that are asked while a caller waits. */
  readonly lookups: readonly LiveSource[];
}

/** The inputs of every operation that has any. Throws where a dataset reads one that is not there, or itself in the end. */
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

/** The inputs of an operation that is made from others. */
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

/** Every dataset that one is made from, at any remove. */
function madeFrom<D extends GraphDataset>(dataset: D, datasets: readonly D[], above: readonly D[] = []): D[] {
  const path = [...above, dataset];
  return (dataset.reads ?? []).flatMap(({ name }) => {
    const read = datasets.find((known) => known.name === name);
    if (!read) throw new Error(`${dataset.name} reads ${name}, which is no dataset`);
    if (path.includes(read)) throw new Error(`${name} is made from itself`);
    return [read, ...madeFrom(read, datasets, path)];
  });
}

/** Every source behind the answers of an operation, in datasets or asked while a caller waits. */
export function sourcesBehind<D extends Pick<GraphDataset, "sources">, L>(inputs: {
  readonly datasets: readonly D[];
  readonly lookups: readonly L[];
}): (D["sources"][number] | L)[] {
  return [...inputs.datasets.flatMap(({ sources }) => sources), ...inputs.lookups];
}

/** The terms of everything that an operation's answers are made from, or of these sources of it alone, each once. */
export function licensesOf(inputs: Omit<OperationInputs, "method">, named?: readonly string[]): License[] {
  const all = sourcesBehind(inputs)
    .filter(({ name }) => named?.includes(name) ?? true)
    .map(({ license }) => license);
  return [...new Map(all.map((license) => [`${license.kind} ${license.terms}`, license])).values()];
}

/** An operation that suffers, and from what. */
export interface AffectedOperation {
  readonly operation: string;
  /** Datasets that are not as they should be, and how they are. */
  readonly datasets: readonly { readonly name: string; readonly state: DatasetStatus["state"] }[];
  /** Sources that bring nothing now. */
  readonly sources: readonly string[];
}

/** The operations whose answers lack something, or are older than they should be. */
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

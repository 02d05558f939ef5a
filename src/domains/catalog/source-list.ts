import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SourceSchema } from "../../../gen/es/ids/catalog/v1/source_pb.ts";
import type { DatasetStatus, SourceStatus } from "../../ingest/dataset-status.ts";
import type { OperationInputs } from "../../ingest/graph.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { LiveSource, SourceTerms } from "../../ingest/source.ts";
import { variablesOf } from "../../ingest/source-variables.ts";

/** What the sources are listed from. */
export interface SourceListParts {
  readonly datasets: readonly ScheduledDataset[];
  readonly lookups: readonly LiveSource[];
  /** What the answers of every operation are made from. */
  readonly origins: readonly OperationInputs[];
  readonly missingOf: (source: SourceTerms) => readonly string[];
}

type State = SourceStatus["state"] | "ready";

/** Worst first. */
const states: readonly State[] = ["failed", "refused", "unconfigured", "partial", "waiting", "ok", "ready"];

/** Every source once, with all that uses it. */
export function sourceLister({ datasets, lookups, origins: inputs, missingOf }: SourceListParts) {
  const sources = Map.groupBy([...datasets.flatMap((each): SourceTerms[] => [...each.sources]), ...lookups], nameOf);
  const uses = [...sources.values()].flatMap(([source]) =>
    source ? [{ source, ...usesOf(source, { datasets, lookups, inputs }) }] : [],
  );
  return (statuses: readonly DatasetStatus[]): MessageInitShape<typeof SourceSchema>[] =>
    uses.map(({ source, datasets: ofDatasets, operations, askedBy }) => {
      const configured = missingOf(source).length === 0;
      const found = statuses.flatMap((status) => status.sources.filter(({ name }) => name === source.name));
      const asked: State[] = askedBy.length > 0 ? [configured ? "ready" : "unconfigured"] : [];
      const all = [...found.map(({ state }) => state), ...asked];
      return {
        ...facts(source),
        state: states.find((state) => all.includes(state)) ?? "waiting",
        configured,
        datasets: ofDatasets,
        operations,
        askedBy,
      };
    });
}

function usesOf(
  { name }: SourceTerms,
  { datasets, lookups, inputs }: Pick<SourceListParts, "datasets" | "lookups"> & { inputs: readonly OperationInputs[] },
) {
  const isThis = (source: { readonly name: string }) => source.name === name;
  const made = inputs.filter(
    (each) => each.lookups.some(isThis) || each.datasets.some(({ sources }) => sources.some(isThis)),
  );
  return {
    datasets: datasets.filter(({ sources }) => sources.some(isThis)).map(nameOf),
    operations: made.map(({ method }) => method.name),
    askedBy: lookups.filter(isThis).flatMap(({ serves }) => serves.map(nameOf)),
  };
}

/** What a source is, whatever its state. */
function facts(source: SourceTerms): MessageInitShape<typeof SourceSchema> {
  const { name, licence, access, chosenBy } = source;
  const choice = chosenBy === undefined ? [] : [{ name: chosenBy, kind: "choice" }];
  return {
    name,
    license: { ...licence },
    ...(access && { access: accessMessage(access) }),
    variables: [...variablesOf(source), ...choice].map(({ name, kind }) => ({ name, kind })),
  };
}

function accessMessage({ signUp, minutes, cost, quota, terms }: NonNullable<SourceTerms["access"]>) {
  return { signUp, minutes, cost, quota, terms };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

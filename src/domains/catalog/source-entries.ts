import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SourceSchema } from "../../../gen/es/ids/catalog/v1/source_pb.ts";
import type { DatasetStatus } from "../../ingest/dataset-status.ts";
import type { GraphDataset, OperationInputs } from "../../ingest/graph.ts";
import { liveSourceStatuses } from "../../ingest/health-report.ts";
import type { LiveSource, SourceTerms } from "../../ingest/source.ts";
import { variablesOf } from "../../ingest/source-variables.ts";

export interface SourceParts {
  readonly datasets: readonly { readonly name: string; readonly sources: readonly SourceTerms[] }[];
  readonly lookups: readonly LiveSource[];
  /** What the answers of every operation are made from. */
  readonly origins: readonly OperationInputs<GraphDataset>[];
  /** Settings that a source needs and does not have. */
  readonly missingOf: (source: SourceTerms) => readonly string[];
}

type Entry = MessageInitShape<typeof SourceSchema>;

/** Every source once, however many datasets read it, by its name. */
export function sourceEntries(parts: SourceParts, statuses: readonly DatasetStatus[]): Entry[] {
  const { datasets, lookups, missingOf } = parts;
  const terms = new Map([...datasets.flatMap(({ sources }) => sources), ...lookups].map((each) => [each.name, each]));
  const states = new Map<string, Record<string, string>>();
  const note = (source: string, where: string, state: string) => {
    const known = states.get(source) ?? {};
    states.set(source, { ...known, [where]: state });
  };
  for (const { name, sources } of statuses) for (const source of sources) note(source.name, name, source.state);
  for (const { name, operation, state } of liveSourceStatuses(lookups, missingOf)) note(name, operation, state);
  return [...terms.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((source) => entryOf(source, states.get(source.name) ?? {}, parts));
}

function entryOf(source: SourceTerms, states: Record<string, string>, { origins, missingOf }: SourceParts): Entry {
  const { name, licence, access } = source;
  const isOf = (each: { readonly name: string }) => each.name === name;
  const made = origins.filter(
    ({ datasets, lookups }) => datasets.some(({ sources }) => sources.some(isOf)) || lookups.some(isOf),
  );
  return {
    ...{ name, states },
    license: licence.kind,
    terms: licence.terms,
    termsUrl: access?.terms ?? "",
    operations: made.map(({ method }) => method.name),
    settings: variablesOf(source).map((setting) => ({ ...setting })),
    configured: missingOf(source).length === 0,
    signUp: access?.signUp ?? "",
    cost: access?.cost ?? "",
    quota: access?.quota ?? "",
  };
}

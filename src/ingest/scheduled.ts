import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { Dataset, DatasetRef, ProgramTable } from "./dataset.ts";
import { type RefreshOutcome, refresh } from "./refresh.ts";
import type { RefreshParts } from "./refresh-parts.ts";
import type { SourceFacts } from "./source.ts";

/** A dataset without the type of its rows: what schedules, health and the command line need. */
export interface ScheduledDataset<N extends string = string> {
  readonly name: N;
  readonly schedule: string;
  readonly freshForMinutes: number;
  readonly servableForMinutes?: number;
  readonly serves: readonly DescMethod[];
  readonly main?: readonly { readonly name: string }[];
  readonly sources: readonly SourceFacts[];
  /** Of a dataset that is kept as one message. */
  readonly message?: DescMessage;
  readonly reads?: readonly DatasetRef[];
  readonly follows?: readonly DatasetRef[];
  readonly isDue?: Dataset["isDue"];
  readonly tables?: readonly ProgramTable[];
  readonly refresh: (parts: RefreshParts) => Promise<RefreshOutcome>;
}

export function scheduled<D extends DescMessage, N extends string>(
  dataset: Dataset<D, N> & { readonly message?: DescMessage },
): ScheduledDataset<N> {
  return { ...dataset, refresh: (parts) => refresh(dataset, parts) };
}

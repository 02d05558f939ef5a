import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { Dataset, Derived } from "./dataset.ts";
import { type RefreshOutcome, refresh } from "./refresh.ts";
import type { RefreshParts } from "./refresh-parts.ts";
import type { SourceFacts } from "./source.ts";

/** A dataset without the type of its rows: what schedules, health and the command line need. */
export interface ScheduledDataset {
  readonly name: string;
  readonly schedule: string;
  readonly freshForMinutes: number;
  readonly servableForMinutes?: number;
  readonly serves: readonly DescMethod[];
  readonly main?: readonly { readonly name: string }[];
  readonly sources: readonly SourceFacts[];
  /** Of a dataset that is kept as one message. */
  readonly message?: DescMessage;
  /** It is also made from what others stored. */
  readonly readsStore?: true;
  /** Of a dataset that is made from others. */
  readonly derived?: Derived;
  readonly refresh: (parts: RefreshParts) => Promise<RefreshOutcome>;
}

export function scheduled<D extends DescMessage>(
  dataset: Dataset<D> & { readonly message?: DescMessage },
): ScheduledDataset {
  return { ...dataset, refresh: (parts) => refresh(dataset, parts) };
}

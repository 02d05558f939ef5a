import type { DescMessage } from "@bufbuild/protobuf";
import { ConfigurationError } from "../../errors.ts";
import type { Dataset } from "../dataset.ts";
import type { RefreshParts } from "../refresh/fetch.ts";
import { type RefreshOutcome, refresh } from "../refresh/refresh.ts";
import { type DatasetVerification, type VerifyParts, verifyDataset } from "../responses/verify.ts";
import type { SourceMetadata } from "../source.ts";
import { type CheckParts, checkSource, type SourceCheck } from "../source-check.ts";

/** Members of a dataset that only a refresh uses, or that depend on the type of its rows. */
type OfRows = "row" | "sources" | "parts" | "unsettle" | "counters" | "rowsInTable" | "inputsOf" | "write";

/** A dataset without the type of its rows, for schedules, health, and the command line. */
export interface ScheduledDataset<N extends string = string> extends Omit<Dataset<DescMessage, N>, OfRows> {
  readonly sources: readonly SourceMetadata[];
  readonly refresh: (parts: RefreshParts) => Promise<RefreshOutcome>;
  /** Requests one source and compares the schema of its response with that of the last good one. Stores nothing. */
  readonly check: (source: string, parts: CheckParts) => Promise<SourceCheck>;
  /** Parses the source bytes of a version again and compares the rows. Undefined if the dataset was never loaded. */
  readonly verify: (parts: VerifyParts) => Promise<DatasetVerification | undefined>;
}

export function scheduled<D extends DescMessage, N extends string>(dataset: Dataset<D, N>): ScheduledDataset<N> {
  return {
    ...dataset,
    refresh: (parts) => refresh(dataset, parts),
    verify: (parts) => verifyDataset(dataset, parts),
    async check(name, parts) {
      const source = dataset.sources.find((known) => known.name === name);
      if (!source) throw new ConfigurationError(`${dataset.name} has no source ${name}`);
      return checkSource(dataset.row, source, parts);
    },
  };
}

export function inputNamesOf({ reads = [], follows = [] }: Pick<ScheduledDataset, "reads" | "follows">): string[] {
  return [...new Set([...reads, ...follows].map(({ name }) => name))];
}

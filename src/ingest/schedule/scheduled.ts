import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { ConfigurationError } from "../../errors.ts";
import type { Dataset, DatasetRef, ProgramTable } from "../dataset.ts";
import type { RefreshParts } from "../refresh/fetch.ts";
import { type RefreshOutcome, refresh } from "../refresh/refresh.ts";
import { type DatasetVerification, type VerifyParts, verifyDataset } from "../responses/verify.ts";
import type { SourceMetadata } from "../source.ts";
import { type CheckParts, checkSource, type SourceCheck } from "../source-check.ts";

/** A dataset without the type of its rows, for schedules, health, and the command line. */
export interface ScheduledDataset<N extends string = string> {
  readonly name: N;
  readonly subject: string;
  readonly schedule: string;
  readonly freshForMinutes: number;
  readonly servableForMinutes?: number;
  readonly serves: readonly DescMethod[];
  readonly main?: readonly { readonly name: string }[];
  readonly sources: readonly SourceMetadata[];
  readonly message?: DescMessage;
  readonly shows?: Dataset["shows"];
  readonly storedTables?: readonly string[];
  readonly currentTables?: readonly string[];
  readonly series?: Dataset["series"];
  readonly reads?: readonly DatasetRef[];
  readonly follows?: readonly DatasetRef[];
  readonly isDue?: Dataset["isDue"];
  readonly tables?: readonly ProgramTable[];
  readonly countRows?: Dataset["countRows"];
  readonly features?: Dataset["features"];
  readonly refresh: (parts: RefreshParts) => Promise<RefreshOutcome>;
  /** Requests one source of the dataset and compares the schema of the response with the stored one. Stores nothing. */
  readonly check: (source: string, parts: CheckParts) => Promise<SourceCheck>;
  /** Parses the stored bytes of a generation again and compares the rows. Undefined before the first load. */
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

import type { Kysely } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { SourceState } from "../source.ts";
import type { Upstreams } from "../upstreams.ts";

/** What a refresh needs besides the dataset. */
export interface RefreshParts {
  readonly database: Kysely<StoreTables>;
  readonly upstreams: Upstreams;
  readonly progress?: (step: Progress) => void;
  /** Takes an answer that shrank too far: the operator has looked at it. */
  readonly acceptShrunk?: boolean;
  /** Takes an answer of another form, as far as it can be read. */
  readonly acceptChanged?: boolean;
  /** Aborted when nothing may be stored any more. */
  readonly signal?: AbortSignal;
}

/** Where a refresh stands, for people who watch it. */
export interface Progress {
  readonly dataset: string;
  readonly source: string;
  readonly step: "asking" | SourceState;
  readonly detail: string;
}

import type { Kysely } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { SourceState } from "../source.ts";
import type { Upstreams } from "../upstreams.ts";

export interface RefreshParts {
  readonly database: Kysely<StoreTables>;
  readonly upstreams: Upstreams;
  readonly progress?: (step: Progress) => void;
  /** Accepts a response that is much smaller than the last good one, because the operator has checked it. */
  readonly acceptShrunk?: boolean;
  /** Accepts a response with a changed schema, as far as it can be read. */
  readonly acceptChanged?: boolean;
  /** Aborted when no more data may be stored. */
  readonly signal?: AbortSignal;
}

export interface Progress {
  readonly dataset: string;
  readonly source: string;
  readonly step: "asking" | SourceState;
  readonly detail: string;
}

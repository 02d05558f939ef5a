import type { Principal } from "../../access/keys/api-key.ts";
import type { ChangeFeed } from "../../changes/change-feed.ts";
import type { ChangeSelection } from "../../changes/change-selection.ts";
import { invalid } from "../../contract/as-of.ts";
import type { AccessControl } from "../access-control.ts";
import type { WatchStreams } from "./watch-streams.ts";

export interface WatchRequest {
  readonly after?: bigint | undefined;
  readonly datasets: readonly string[];
  readonly countries: readonly string[];
  readonly kinds: readonly string[];
}

export interface WatchParts {
  readonly accessControl: AccessControl;
  readonly streams: WatchStreams;
  readonly feed: ChangeFeed;
  /** Returns the selected changes. Throws `InvalidRequest`, or `NotEntitled` if the caller may not read them. */
  readonly select: (request: WatchRequest, principal: Principal) => ChangeSelection;
  readonly isSample: boolean;
}

/** The error for `as_of`, which a stream of changes does not support. The list of changes has the same error. */
export const noPast = invalid("value must be absent: use a position to read earlier changes");

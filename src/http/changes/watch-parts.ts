import type { Principal } from "../../access/keys/api-key.ts";
import type { ChangeFeed } from "../../changes/change-feed.ts";
import type { ChangeSelection } from "../../changes/change-selection.ts";
import { invalid } from "../../contract/as-of.ts";
import type { AccessControl } from "../access-control.ts";
import type { WatchStreams } from "./watch-streams.ts";

/** What a stream is asked for with. */
export interface WatchRequest {
  readonly after?: bigint | undefined;
  readonly datasets: readonly string[];
  readonly countries: readonly string[];
  readonly kinds: readonly string[];
}

/** What streams are served with. */
export interface WatchParts {
  readonly accessControl: AccessControl;
  readonly streams: WatchStreams;
  readonly feed: ChangeFeed;
  /** Throws `InvalidRequest`, or `NotEntitled` for what is not the caller's. */
  readonly select: (request: WatchRequest, principal: Principal) => ChangeSelection;
  /** The data of this service are invented. */
  readonly isSample: boolean;
}

/** `as_of` is refused as the list of changes refuses it. */
export const noPast = invalid(
  "value must be absent: changes are told as they come, those of before from a position on",
);

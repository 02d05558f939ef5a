import type { Caller } from "../access/caller.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { Cause } from "./failure-cause.ts";
import type { Request } from "./node-message.ts";
import type { RequestHead } from "./request-head.ts";

/** A read as it is asked for: by a request of its own, or as a part of a batch. */
export interface ReadRequest extends ClientInfo {
  readonly head: Pick<RequestHead, "serviceKey" | "apiKey" | "prefer" | "accept">;
  readonly request: Pick<Request, "method" | "url" | "headers">;
  readonly id: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Without a trailing slash. */
  readonly path: string;
  /** Headers of whatever is answered, failures too, as flat pairs. */
  readonly headers: string[];
  /** Whose the failure is that was answered; absent where none was. */
  cause?: Cause;
  readonly edge: () => Caller["edge"];
  /** Nobody waits for the answer any more. */
  readonly isGone: () => boolean;
  readonly isBackedUp: () => boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: () => AbortSignal;
}

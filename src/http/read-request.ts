import type { Caller } from "../access/caller.ts";
import { wantsStrict } from "../contract/request/strict.ts";
import type { FailureCause } from "../error-kinds.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { Request } from "./node-message.ts";
import type { RequestHead } from "./request-head.ts";

/** A read: a separate request, or a part of a batch. */
export interface ReadRequest extends ClientInfo {
  readonly head: Pick<RequestHead, "serviceKey" | "apiKey" | "prefer" | "accept">;
  readonly request: Pick<Request, "method" | "url" | "headers">;
  readonly id: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Without a trailing slash. */
  readonly path: string;
  /** Headers of every response and failure, as flat pairs. */
  readonly headers: string[];
  /** The cause of a failure. Absent after a success. */
  cause?: FailureCause;
  readonly edge: () => Caller["edge"];
  readonly isGone: () => boolean;
  readonly isBackedUp: () => boolean;
  readonly signal: () => AbortSignal;
}

/** A header confirms the preference. Throws `InvalidRequest`. */
export function handleStrictly({ head, headers }: Pick<ReadRequest, "head" | "headers">, reject: () => void): void {
  if (head.prefer === undefined || !wantsStrict(head.prefer)) return;
  reject();
  headers.push("Preference-Applied", "handling=strict");
}

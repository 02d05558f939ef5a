import type { Caller } from "../access/caller.ts";
import { wantsStrict } from "../contract/request/strict.ts";
import type { FailureCause } from "../error-kinds.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { Request } from "./node-message.ts";
import type { RequestHead } from "./request-head.ts";

/** A read request: a request of its own, or a part of a batch. */
export interface ReadRequest extends ClientInfo {
  readonly head: Pick<RequestHead, "serviceKey" | "apiKey" | "prefer" | "accept" | "range">;
  readonly request: Pick<Request, "method" | "url" | "headers">;
  readonly id: string;
  /** Arrival time in milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Path of the request without a trailing slash. */
  readonly path: string;
  /** Headers that the response has even after a failure, as alternating names and values. */
  readonly headers: string[];
  /** Why the request failed; undefined after a success. */
  cause?: FailureCause;
  readonly edge: () => Caller["edge"];
  readonly isGone: () => boolean;
  readonly isBackedUp: () => boolean;
  readonly signal: () => AbortSignal;
}

/** Under strict handling, calls `reject`, which throws for unknown parameters, and confirms it in a header. */
export function handleStrictly({ head, headers }: Pick<ReadRequest, "head" | "headers">, reject: () => void): void {
  if (head.prefer === undefined || !wantsStrict(head.prefer)) return;
  reject();
  headers.push("Preference-Applied", "handling=strict");
}

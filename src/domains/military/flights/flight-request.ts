import { UpstreamError } from "../../../errors.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";

/** How to ask somebody while a caller waits. */
export interface Waiting {
  readonly upstream: Upstream;
  readonly timeoutMs: number;
}

/** Asks once. What the upstream does not have is `undefined`. */
export async function requestWhileWaiting(
  { upstream, timeoutMs }: Waiting,
  url: string,
  request: Omit<UpstreamRequest, "url"> = {},
): Promise<unknown> {
  try {
    return await upstream.json({
      maxBytes: 1024 * 1024,
      ...request,
      url,
      timeoutMs,
      tries: 1,
      callerWaits: true,
    });
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 404) return undefined;
    throw error;
  }
}

import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";

export interface Waiting {
  readonly upstream: Upstream;
  readonly timeoutMs: number;
}

/** Sends one request without a retry. Returns undefined if the upstream has no such object. */
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

import { UpstreamError } from "../errors.ts";
import { readJson } from "../upstream/read-json.ts";
import type { Upstream, UpstreamRequest } from "../upstream/upstream.ts";

/** One request of a source, and what came of it. */
export interface UpstreamExchange {
  readonly request: UpstreamRequest;
  readonly milliseconds: number;
  /** The body; absent where there was none to be had. */
  readonly text?: string;
  readonly failure?: UpstreamError;
}

/** The same upstream, telling of every exchange when it has ended. */
export function observed(upstream: Upstream, see: (exchange: UpstreamExchange) => void): Upstream {
  const text = async (request: UpstreamRequest) => {
    const began = performance.now();
    const spent = () => performance.now() - began;
    try {
      const body = await upstream.text(request);
      see({ request, milliseconds: spent(), text: body });
      return body;
    } catch (failure) {
      if (failure instanceof UpstreamError) see({ request, milliseconds: spent(), failure });
      throw failure;
    }
  };
  return {
    ...upstream,
    get now() {
      return upstream.now;
    },
    text,
    json: async (request) => readJson(request, await text({ accept: "application/json", ...request })),
  };
}

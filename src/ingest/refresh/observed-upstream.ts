import { UpstreamError } from "../../egress/upstream-error.ts";
import { readJson } from "../../upstream/read-json.ts";
import type { Upstream, UpstreamRequest } from "../../upstream/upstream.ts";
import { responseValue } from "../drift/response-value.ts";
import type { ShapeReader } from "../drift/shape.ts";

export interface UpstreamExchange {
  readonly request: UpstreamRequest;
  readonly milliseconds: number;
  /** The body. Absent if the request failed. */
  readonly text?: string;
  /** The parsed body, if JSON was requested and received. */
  readonly value?: unknown;
  readonly failure?: UpstreamError;
}

export function observed(upstream: Upstream, see: (exchange: UpstreamExchange) => void): Upstream {
  const body = async (request: UpstreamRequest) => {
    const began = performance.now();
    const spent = () => performance.now() - began;
    try {
      const text = await upstream.text(request);
      return { request, milliseconds: spent(), text };
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
    async text(request) {
      const exchange = await body(request);
      see(exchange);
      return exchange.text;
    },
    async json(request) {
      const exchange = await body({ accept: "application/json", ...request });
      let value: unknown;
      try {
        value = readJson(request, exchange.text);
      } finally {
        see({ ...exchange, value });
      }
      return value;
    },
  };
}

export function addResponse(form: ShapeReader, { text, value }: UpstreamExchange): void {
  if (text !== undefined) form.add(value ?? responseValue(text));
}

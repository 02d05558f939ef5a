import { UpstreamError } from "../../errors.ts";
import { readJson } from "../../upstream/read-json.ts";
import type { Upstream, UpstreamRequest } from "../../upstream/upstream.ts";
import { responseValue } from "../drift/response-value.ts";
import type { ShapeReader } from "../drift/shape.ts";

/** One request of a source, and what came of it. */
export interface UpstreamExchange {
  readonly request: UpstreamRequest;
  readonly milliseconds: number;
  /** The body; absent where there was none to be had. */
  readonly text?: string;
  /** What the body holds, where it was asked for as JSON and is. */
  readonly value?: unknown;
  readonly failure?: UpstreamError;
}

/** The same upstream, telling of every exchange when it has ended. */
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

/** Adds what came of an exchange to the form of an answer, read once. */
export function addResponse(form: ShapeReader, { text, value }: UpstreamExchange): void {
  if (text !== undefined) form.add(value ?? responseValue(text));
}

import type { DescMethod } from "@bufbuild/protobuf";
import type { Operation } from "../contract/catalog.ts";
import type { Step } from "../contract/implementation.ts";
import { markSample } from "../contract/request-context.ts";

/** Marks the response of a lookup as sample data, if samples replace the lookup's source. */
export function labelSamples(
  { method }: Operation,
  { playedBySamples }: { readonly playedBySamples: ReadonlySet<DescMethod> },
): Step | undefined {
  if (!playedBySamples.has(method)) return undefined;
  return async (request, context, next) => {
    const response = await next(request, context);
    markSample(context);
    return response;
  };
}

import type { DescMethod } from "@bufbuild/protobuf";
import { type Implementation, type Implemented, wrapped } from "../contract/implementation.ts";
import { markSample } from "../contract/request-context.ts";

export function withSampleLabel(implemented: Implemented, methods: ReadonlySet<DescMethod>): Implemented {
  return wrapped(implemented, ({ method }, implementation) =>
    methods.has(method) ? labelling(implementation) : implementation,
  );
}

function labelling(implementation: Implementation): Implementation {
  return async (request, context) => {
    const response = await implementation(request, context);
    markSample(context);
    return response;
  };
}

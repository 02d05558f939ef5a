import type { Operation } from "../contract/catalog.ts";
import type { Step } from "../contract/implementation.ts";
import type { Tracing } from "../telemetry/tracing.ts";

/** Opens a trace span for the operation, if tracing is configured. */
export function trace({ method }: Operation, { tracing }: { readonly tracing: Tracing | undefined }): Step | undefined {
  if (!tracing) return undefined;
  const step = () => ({ name: `${method.parent.typeName}/${method.name}` });
  return (request, context, next) => tracing.step(step, async () => next(request, context));
}

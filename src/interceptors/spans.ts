import { type Implemented, wrapped } from "../contract/implementation.ts";
import type { Tracing } from "../telemetry/tracing.ts";

/** Wraps the service so that each operation is recorded as a span. */
export function withSpans(implemented: Implemented, tracing: Tracing): Implemented {
  return wrapped(implemented, ({ method }, implementation) => {
    const step = () => ({ name: `${method.parent.typeName}/${method.name}` });
    return (request, context) => tracing.step(step, async () => implementation(request, context));
  });
}

import { type Implemented, wrapped } from "../contract/implementation.ts";
import type { Tracing } from "../telemetry/tracing.ts";

export function withSpans(implemented: Implemented, tracing: Tracing): Implemented {
  return wrapped(implemented, ({ method }, implementation) => {
    const step = () => ({ name: `${method.parent.typeName}/${method.name}` });
    return (request, context) => tracing.step(step, async () => implementation(request, context));
  });
}

import type { SourceTerms } from "./source.ts";
import { permissionOf } from "./upstreams.ts";

export interface SourceVariable {
  readonly name: string;
  /** `permission`: `on` enables a restricted source in live mode. `required`: the source needs it in live mode. */
  readonly kind: "permission" | "required" | "optional";
}

export function variablesOf(source: SourceTerms): readonly SourceVariable[] {
  const permission = permissionOf(source);
  return [
    ...(permission === undefined ? [] : [{ name: permission, kind: "permission" } as const]),
    ...source.variables.map((name) => ({ name, kind: "required" }) as const),
    ...(source.optionalVariables ?? []).map((name) => ({ name, kind: "optional" }) as const),
  ];
}

import type { SourceTerms } from "./source.ts";
import { permissionOf } from "./upstreams.ts";

/** A variable of a source's own, as the source declares it. */
export interface SourceVariable {
  readonly name: string;
  /** `on` lets a restricted source run live; `required`: it cannot run live without it. */
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

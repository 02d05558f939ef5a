import type { JsonSchema } from "../rules/json-schema.ts";

export interface Components {
  readonly parameters: Map<string, JsonSchema>;
  readonly responses: Map<string, JsonSchema>;
  readonly schemas: Map<string, JsonSchema>;
}

export function noComponents(): Components {
  return { parameters: new Map(), responses: new Map(), schemas: new Map() };
}

/** Adds a component and returns a reference to it. Throws if another component has its name. */
export function component(
  components: Components,
  kind: keyof Components,
  name: string,
  value: JsonSchema,
): { readonly $ref: string } {
  const known = components[kind].get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(value))
    throw new Error(`Two components of the OpenAPI document would both be ${kind}/${name}`);
  components[kind].set(name, value);
  return { $ref: `#/components/${kind}/${name}` };
}

/** Follows a reference. Returns any other value unchanged. */
export function resolved<T>(document: object, value: T | { readonly $ref: string }): T {
  const reference = Object(value).$ref;
  if (typeof reference !== "string") return value as T;
  const path = reference.replace(/^#\//, "").split("/");
  const found = path.reduce((at, name) => at?.[name], Object(document));
  if (found === undefined) throw new Error(`The OpenAPI document has no ${reference}`);
  return found;
}

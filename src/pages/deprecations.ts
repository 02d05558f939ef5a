import { catalog } from "../contract/catalog.ts";
import { deprecatedSince } from "../contract/deprecation.ts";

export interface Deprecation {
  /** A deprecated path, or a path with a deprecated parameter. */
  readonly deprecated: string;
  readonly path: string;
  readonly since: Date;
}

/** Deprecated paths, then deprecated parameters, each in the order of the contract. */
export const deprecations: readonly Deprecation[] = [
  ...catalog.flatMap(({ aliases, path }) => aliases.map((alias) => ({ deprecated: alias, path }))),
  ...catalog.flatMap(({ method, path }) =>
    method.input.fields
      .filter((field) => field.deprecated)
      .map((field) => ({ deprecated: `${path}?${field.name}`, path })),
  ),
].map((each) => ({ ...each, since: deprecatedSince }));

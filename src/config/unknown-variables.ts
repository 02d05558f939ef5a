import { nearestName } from "../reference/nearest-name.ts";
import { type Environment, textOf } from "./setting.ts";
import { settings } from "./settings.ts";

const prefix = "IDS_";

/** Reports each unknown variable with the prefix of the service, and suggests the closest known name. */
export function unknownVariables(environment: Environment, ofSources: readonly string[]): readonly string[] {
  const known = [...new Set([...settings.map(({ name }) => name), ...ofSources])];
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && textOf(environment, name) !== undefined && !known.includes(name))
    .map((name) => `${name} is not a setting and has no effect; did you mean ${nearestName(name, known)}?`);
}

import { type Environment, textOf } from "./setting.ts";
import { settings } from "./settings.ts";

const prefix = "IDS_";

/** Reports each unknown variable with the prefix of the service, and suggests the closest known name. */
export function unknownVariables(environment: Environment, ofSources: readonly string[]): readonly string[] {
  const known = [...new Set([...settings.map(({ name }) => name), ...ofSources])];
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && textOf(environment, name) !== undefined && !known.includes(name))
    .map((name) => `${name} is not a setting and has no effect; did you mean ${nearest(name, known)}?`);
}

function nearest(name: string, known: readonly string[]): string {
  const distances = known.map((candidate) => [candidate, distance(name, candidate)] as const);
  return distances.reduce((best, each) => (each[1] < best[1] ? each : best))[0];
}

/** Returns the number of letters to insert, delete, or replace (Levenshtein distance). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [column, against] of [...other].entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

import { type Environment, textOf } from "../config/setting.ts";
import { onOff } from "../config/text-types.ts";
import { unknownVariables } from "../config/unknown-variables.ts";
import { datasets, lookups } from "../domains/index.ts";
import { variablesOf } from "../ingest/upstreams.ts";

/** Returns warnings about unknown variables with the service's prefix, and permissions that are neither on nor off. */
export function settingWarnings(environment: Environment): readonly string[] {
  const own = [...datasets.flatMap(({ sources }) => sources), ...lookups].flatMap(variablesOf);
  const permissions = new Set(own.filter(({ kind }) => kind === "permission").map(({ name }) => name));
  const undecided = [...permissions].filter((name) => !onOff.safeParse(textOf(environment, name) ?? "off").success);
  return [
    ...unknownVariables(
      environment,
      own.map(({ name }) => name),
    ),
    ...undecided.map((name) => `${name} has no effect: it must be ${onOff.description}`),
  ];
}

/** Minimum memory in MiB. With less, the operating system may end the process. */
const neededMb = 384;
const neededToLoadMb = 1024;

/** Returns a warning if the memory limit, in bytes, is too low. Loading the samples needs more than serving. */
export function memoryWarnings(limit: number, isLoading: boolean): readonly string[] {
  const mb = Math.floor(limit / 1024 / 1024);
  const needed = isLoading ? neededToLoadMb : neededMb;
  const isEnough = limit === 0 || mb >= needed;
  return isEnough ? [] : [`The memory limit is ${mb} MiB. The process may be killed: set at least ${needed} MiB`];
}

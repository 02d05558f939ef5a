import type { TendersTrigger, Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import type { ChangeEntry } from "../../../changes/change-message.ts";
import { changeCondition, type FuelMeter } from "../../../changes/change-selection.ts";
import { InvalidRequest } from "../../../errors.ts";
import { globalTenders } from "../../economic/published.ts";
import { defaultKinds, stalenessKinds } from "../rules/rule-trigger.ts";

/** What a rule watches in the log of changes. */
export interface ChangeWatch {
  readonly datasets: ReadonlySet<string>;
  /** None: all, and what has no country. */
  readonly countries: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  /** Compiled when it is first needed. */
  readonly holds?: (entry: ChangeEntry, meter: FuelMeter) => boolean;
  /** What a notice must be beside that. */
  readonly tenders?: TendersTrigger;
}

/** Of a trigger that watches no series. */
export function changeWatch({ changes, tenders, staleness }: Trigger): ChangeWatch {
  if (tenders)
    return {
      datasets: new Set([globalTenders.name]),
      countries: new Set(tenders.countries),
      kinds: new Set(["appeared", "changed"]),
      tenders,
    };
  if (staleness) return { datasets: new Set(staleness.datasets), countries: new Set(), kinds: new Set(stalenessKinds) };
  const { datasets = [], countries = [], kinds = [], condition = "" } = changes ?? {};
  return {
    datasets: new Set(datasets),
    countries: new Set(countries),
    kinds: new Set(kinds.length === 0 ? defaultKinds : kinds),
    ...(condition !== "" && { holds: whenNeeded(condition) }),
  };
}

/** Whether a change is watched, but for what only the store knows of notices. */
export function isWatched(
  { datasets, countries, kinds, holds }: ChangeWatch,
  entry: ChangeEntry,
  meter: FuelMeter,
): boolean {
  const { dataset, country, kind } = entry.logged;
  return (
    datasets.has(dataset) &&
    kinds.has(kind) &&
    (countries.size === 0 || countries.has(country)) &&
    (holds?.(entry, meter) ?? true)
  );
}

/** The id of the notice that a change is about. */
export function noticeIdOf({ logged: { subject } }: ChangeEntry): string {
  return subject.replaceAll("%7C", "|").replaceAll("%25", "%");
}

function whenNeeded(condition: string): NonNullable<ChangeWatch["holds"]> {
  let holds: ReturnType<typeof changeCondition> | undefined;
  return (entry, meter) => {
    holds ??= compiled(condition);
    return holds(entry, meter);
  };
}

/** One that this program does not understand any more holds never. */
function compiled(condition: string): ReturnType<typeof changeCondition> {
  try {
    return changeCondition(condition);
  } catch (error) {
    if (error instanceof InvalidRequest) return () => false;
    throw error;
  }
}

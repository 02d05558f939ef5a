import type { TendersTrigger, Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { type ChangeCondition, changeCondition } from "../../../changes/change-condition.ts";
import type { ChangeEntry } from "../../../changes/change-message.ts";
import type { Store } from "../../../store/tables.ts";
import { globalTenders, matchingTenders } from "../../economic/published.ts";
import { defaultKinds, stalenessKinds } from "../rules/rule-trigger.ts";

export interface ChangeWatch {
  readonly datasets: ReadonlySet<string>;
  /** Changes of these countries are reported. If the set is empty, all changes match, even without a country. */
  readonly countries: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly condition?: ChangeCondition;
  readonly tenders?: TendersTrigger;
}

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
    ...(condition !== "" && { condition: changeCondition(condition) }),
  };
}

export function isWatched({ datasets, countries, kinds }: ChangeWatch, { logged }: ChangeEntry): boolean {
  const { dataset, country, kind } = logged;
  return datasets.has(dataset) && kinds.has(kind) && (countries.size === 0 || countries.has(country));
}

/** Returns the changes of notices that the watch's search finds, or all changes if the watch has no search. */
export async function matchingNotices(
  database: Store,
  { tenders }: ChangeWatch,
  entries: readonly ChangeEntry[],
  now: Date,
): Promise<readonly ChangeEntry[]> {
  if (!tenders) return entries;
  const ids = await matchingTenders(database, tenders, entries.map(noticeIdOf), now);
  return entries.filter((entry) => ids.has(noticeIdOf(entry)));
}

function noticeIdOf({ logged: { subject } }: ChangeEntry): string {
  return subject.replaceAll("%7C", "|").replaceAll("%25", "%");
}

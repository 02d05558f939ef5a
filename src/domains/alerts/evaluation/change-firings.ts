import type { ChangeEntry } from "../../../changes/change-message.ts";
import type { DatasetTiers } from "../../../changes/change-selection.ts";
import type { Firing } from "./firing.ts";
import type { LiveRule } from "./rule-index.ts";

/** A rule and the changes that it reports. */
export interface Matched {
  readonly rule: LiveRule;
  readonly entries: readonly ChangeEntry[];
}

/** Changes of one event. */
const maxChanges = 50;
/** Further changes do not go with those that are so long. */
const maxBytes = 64_000;

/** Events of what rules report: changes of one kind of event together, so that nobody gets a message for each of many. */
export function changeFirings(matched: readonly Matched[], tiers: DatasetTiers): readonly Firing[] {
  return matched.flatMap(({ rule, entries }) =>
    [...Map.groupBy(entries, ({ logged }) => `${typeOf(rule, logged.kind)} ${logged.origin}`).values()].flatMap((own) =>
      batches(own).map((batch) => firingOf(rule, batch, tiers)),
    ),
  );
}

function firingOf(rule: LiveRule, entries: readonly ChangeEntry[], tiers: DatasetTiers): Firing {
  const [first] = entries;
  return {
    rule,
    type: typeOf(rule, first?.logged.kind ?? ""),
    mark: String(first?.position),
    requiredTier: Math.max(...entries.map(({ logged }) => tiers.get(logged.dataset) ?? 0)),
    count: entries.length,
    data: {
      ruleId: rule.id,
      ruleName: rule.name,
      origin: first?.logged.origin,
      changes: entries.map(({ plain }) => plain),
    },
  };
}

function typeOf({ kind }: LiveRule, change: string): string {
  if (kind === "staleness") return `dataset.${change}`;
  return kind === "tenders" ? "tender.matched" : "change.matched";
}

function batches(entries: readonly ChangeEntry[]): ChangeEntry[][] {
  const all: ChangeEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.frame.length;
    const last = all.at(-1);
    if (last && last.length < maxChanges && bytes + size <= maxBytes) {
      last.push(entry);
      bytes += size;
    } else {
      all.push([entry]);
      bytes = size;
    }
  }
  return all;
}

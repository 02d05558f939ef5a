import { type Kysely, sql } from "kysely";
import type { LoggedChange } from "../../../store/changes/change-log.ts";
import type { StoreTables } from "../../../store/tables.ts";
import type { RuleRow } from "../alert-table.ts";
import { triggerOf } from "../rules/rule-store.ts";
import { type ChangeWatch, changeWatch } from "./change-watch.ts";

/** A rule as it is evaluated. */
export interface LiveRule extends Pick<RuleRow, "id" | "account" | "name" | "kind" | "endpoints"> {
  readonly watch: ChangeWatch;
  readonly afterPosition: number;
  /** Rules of the account that are older. */
  readonly rank: number;
}

/** Rules by what they watch: of 10,000 few are looked at for one change. */
export interface RuleIndex {
  readonly size: number;
  readonly candidates: (change: Pick<LoggedChange, "dataset" | "country" | "kind">) => Iterable<LiveRule>;
}

/** A rule on many countries is found by datasets and kinds alone, of which it has at most 250: it would stand in too many places. */
const maxPlaces = 256;
const anyCountry = "";

export function ruleIndex(rules: readonly LiveRule[]): RuleIndex {
  const places = new Map<string, LiveRule[]>();
  const place = (dataset: string, kind: string, country: string) => `${dataset} ${kind} ${country}`;
  for (const rule of rules) {
    const { datasets, kinds, countries } = rule.watch;
    const isMany = datasets.size * kinds.size * countries.size > maxPlaces;
    const named = countries.size === 0 || isMany ? [anyCountry] : countries;
    for (const dataset of datasets)
      for (const kind of kinds)
        for (const country of named) {
          const key = place(dataset, kind, country);
          const there = places.get(key);
          if (there) there.push(rule);
          else places.set(key, [rule]);
        }
  }
  return {
    size: rules.length,
    *candidates({ dataset, kind, country }) {
      yield* places.get(place(dataset, kind, anyCountry)) ?? [];
      if (country !== anyCountry) yield* places.get(place(dataset, kind, country)) ?? [];
    },
  };
}

type RankedRow = Pick<RuleRow, "id" | "account" | "name" | "kind" | "endpoints" | "trigger" | "after_position"> & {
  readonly rank: number;
  readonly isPaused: boolean;
};

/** The rules that are not paused, each with its place among those of its account. */
export async function liveRules(database: Kysely<StoreTables>): Promise<LiveRule[]> {
  const { rows } = await sql<RankedRow>`
    select id, account, name, kind, endpoints, trigger, after_position, paused_at is not null as "isPaused",
      (row_number() over (partition by account order by created_at, id) - 1)::int4 as rank
    from alert_rule`.execute(database);
  return rows
    .filter(({ kind, isPaused }) => kind !== "series" && !isPaused)
    .map(({ trigger, after_position, isPaused: _, ...rule }) => ({
      ...rule,
      watch: changeWatch(triggerOf({ trigger })),
      afterPosition: Number(after_position),
    }));
}

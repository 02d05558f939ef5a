import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { ConditionBudget } from "../../../changes/change-condition.ts";
import { ChangeEntry } from "../../../changes/change-message.ts";
import type { DatasetTiers } from "../../../changes/change-selection.ts";
import { type LoggedChange, logExtent, readChanges } from "../../../store/changes/change-log.ts";
import { readGeneration } from "../../../store/served/generations.ts";
import type { Store, Transaction } from "../../../store/tables.ts";
import type { AlertTables, RuleRow } from "../alert-table.ts";
import { rulesGeneration, triggerOf } from "../rules/rule-store.ts";
import { type ChangeWatch, changeWatch, isWatched, matchingNotices } from "./change-watch.ts";
import type { EvaluationParts } from "./evaluation-parts.ts";
import { type Firing, queueFirings } from "./firing.ts";
import { holdPosition } from "./position.ts";

interface LiveRule extends Pick<RuleRow, "id" | "account" | "name" | "kind" | "endpoints"> {
  readonly watch: ChangeWatch;
  readonly afterPosition: number;
  /** The number of older rules of the account. The rule is evaluated if this is below the maximum of the plan. */
  readonly rank: number;
}

/** Finds the few of 10,000 rules that may match a change, by its dataset, country, and kind. */
interface RuleIndex {
  readonly size: number;
  readonly candidates: (change: Pick<LoggedChange, "dataset" | "country" | "kind">) => Iterable<LiveRule>;
}

/**
 * Maximum combinations of dataset, kind, and country for which a rule is indexed. To save memory, a rule with more is
 * indexed without its countries, because there are only 250 pairs of dataset and kind.
 */
const maxPlaces = 256;
const anyCountry = "";

function ruleIndex(rules: readonly LiveRule[]): RuleIndex {
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

async function liveRules(database: Store): Promise<LiveRule[]> {
  const { rows } = await sql<RankedRow>`
    select id, account, name, kind, endpoints, trigger, after_position, paused_at is not null as "isPaused",
      (row_number() over (partition by account order by created_at, id) - 1)::int4 as rank
    from alert_rule`.execute(database);
  return rows
    .filter(({ kind, isPaused }) => kind !== "series" && kind !== "watchlist" && !isPaused)
    .map(({ trigger, after_position, isPaused: _, ...rule }) => ({
      ...rule,
      watch: changeWatch(triggerOf({ trigger })),
      afterPosition: Number(after_position),
    }));
}

interface Matched {
  readonly rule: LiveRule;
  readonly entries: readonly ChangeEntry[];
}

const maxChanges = 50;
/** Maximum bytes of the changes in one event. Further changes start a new event. */
const maxBytes = 64_000;

/** Groups the changes of a rule by event type, so that a client receives few messages. */
function changeFirings(matched: readonly Matched[], tiers: DatasetTiers): readonly Firing[] {
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

const rowsInChunk = 500;
/** The computing budget of an account's expressions for each chunk of changes. It is spent in at most one second. */
const maxFuel = 20_000_000;

export interface KnownRules {
  readonly generation: number;
  readonly index: RuleIndex;
}

export async function evaluateChanges(
  parts: EvaluationParts,
  known: KnownRules | undefined,
  signal: AbortSignal,
): Promise<KnownRules | undefined> {
  const { database, warn } = parts;
  let rules = known;
  while (!signal.aborted) {
    const before = await evaluationState(database);
    if (rules?.generation !== before.generation)
      rules = { generation: before.generation, index: ruleIndex(await liveRules(database)) };
    const { newest, floor } = await logExtent(database);
    if (before.position < floor && rules.index.size > 0)
      warn(`Changes ${before.position + 1} to ${floor} were deleted before the rules evaluated them`);
    // If the stored position is beyond the end of the log, the store was restored from a backup, so the end is used.
    const after = before.position > newest ? newest : Math.max(before.position, floor);
    if (after === newest && after === before.position) break;
    const rows = rules.index.size === 0 ? [] : await readRows(parts, after, newest);
    const position = rows.length < rowsInChunk ? newest : (rows.at(-1)?.position ?? newest);
    const firings = await firingsOf(rows, rules.index, parts);
    await advance(parts, before, position, firings);
  }
  return rules;
}

interface EvaluationState {
  readonly position: number;
  readonly generation: number;
}

/** Reads the position in the log and the version of the rules. `isLocked` locks both until the transaction ends. */
async function evaluationState(database: Store, isLocked = false): Promise<EvaluationState> {
  const row = await database
    .withTables<AlertTables>()
    .selectFrom("alert_position")
    .select("position")
    .executeTakeFirst();
  return {
    position: Number(row?.position ?? 0),
    generation: await readGeneration(database, rulesGeneration, isLocked),
  };
}

async function readRows({ database, data }: EvaluationParts, after: number, newest: number): Promise<ChangeEntry[]> {
  const span = { after, upTo: newest, limit: rowsInChunk, liveOnly: data === "live" };
  return (await readChanges(database, span)).map((row) => new ChangeEntry(row));
}

/** Stores events and the new position. Stores nothing if the rules or the position changed since they were read. */
async function advance(parts: EvaluationParts, before: EvaluationState, position: number, firings: readonly Firing[]) {
  await parts.database.transaction().execute(async (transaction: Transaction) => {
    await holdPosition(transaction);
    const now = await evaluationState(transaction, true);
    if (now.position !== before.position || now.generation !== before.generation) return;
    await queueFirings(transaction, firings, parts);
    await sql`update alert_position set position = ${position}`.execute(transaction);
  });
}

async function firingsOf(
  entries: readonly ChangeEntry[],
  index: RuleIndex,
  parts: Pick<EvaluationParts, "database" | "clock" | "watched" | "warn">,
): Promise<readonly Firing[]> {
  const matched = new Map<LiveRule, ChangeEntry[]>();
  const budgets = new Map<string, ConditionBudget>();
  for (const entry of entries) {
    for (const rule of index.candidates(entry.logged)) {
      if (entry.position <= rule.afterPosition || !isWatched(rule.watch, entry)) continue;
      const { condition } = rule.watch;
      if (condition) {
        const budget = budgets.get(rule.account) ?? new ConditionBudget(maxFuel);
        budgets.set(rule.account, budget);
        if (!(await budget.holds(condition, entry))) continue;
      }
      const there = matched.get(rule);
      if (there) there.push(entry);
      else matched.set(rule, [entry]);
    }
    await nextTurn();
  }
  for (const [account, { isSpent }] of budgets)
    if (isSpent) parts.warn(`The conditions of the rules of ${account} exceed the limit: some were not evaluated`);
  const all: Matched[] = [];
  for (const [rule, own] of matched)
    all.push({ rule, entries: await matchingNotices(parts.database, rule.watch, own, parts.clock()) });
  return changeFirings(all, parts.watched.tiers);
}

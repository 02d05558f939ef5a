import { type Selectable, sql } from "kysely";
import type { SeriesTrigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { readGeneration } from "../../../store/served/generations.ts";
import type { Store, Transaction } from "../../../store/tables.ts";
import type { AlertTables, RuleRow } from "../alert-table.ts";
import { rankInAccount, rulesGeneration, triggerOf } from "../rules/rule-store.ts";
import type { EvaluationParts } from "./evaluation-parts.ts";
import { type Firing, queueFirings } from "./firing.ts";
import { holdPosition } from "./position.ts";
import { crossingMessage, type Level, pointsToSee, step, thresholdOf, watchesKey } from "./series-level.ts";

const pointsInChunk = 500;
const maxCrossings = 50;

type NewPoint = Selectable<AlertTables["alert_point"]>;
type SeriesRule = Pick<RuleRow, "id" | "account" | "name" | "endpoints"> & {
  readonly rank: number;
  readonly trigger: SeriesTrigger;
};
interface Crossed {
  readonly rule: SeriesRule;
  readonly kind: "crossed" | "recovered";
  readonly first: string;
  readonly crossings: ReturnType<typeof crossingMessage>[];
}

/** Evaluates the new points of series. One transaction deletes these points and stores the new levels of the rules. */
export async function evaluatePoints(parts: EvaluationParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isAnyNew(parts.database))) {
    const points = await parts.database.transaction().execute((transaction) => evaluateSome(transaction, parts));
    if (points < pointsInChunk) return;
  }
}

/** Returns whether there are new points. There are usually none, and then the evaluation needs no lock. */
async function isAnyNew(database: Store): Promise<boolean> {
  const { rows } = await sql`select from alert_point limit 1`.execute(database);
  return rows.length > 0;
}

async function evaluateSome(transaction: Transaction, parts: EvaluationParts): Promise<number> {
  // The lock lets only one process evaluate points, and no rule can be paused or deleted in the meantime.
  await holdPosition(transaction);
  await readGeneration(transaction, rulesGeneration, true);
  const { rows: points } = await sql<NewPoint>`
    delete from alert_point where id in (select id from alert_point order by id limit ${pointsInChunk}) returning *`.execute(
    transaction,
  );
  const own = points
    .filter(({ origin }) => origin === parts.data)
    .toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  for (const [id, ofSeries] of Map.groupBy(own, ({ series }) => series)) {
    const series = parts.watched.series.get(id);
    if (!series || series.restricted.length > 0) continue;
    const crossed = await crossedRules(transaction, id, ofSeries);
    await queueFirings(
      transaction,
      crossed.flatMap((each) => firingsOf(each, series.tier, parts.data)),
      parts,
    );
  }
  return points.length;
}

async function crossedRules(transaction: Transaction, series: string, points: readonly NewPoint[]) {
  const rules = await seriesRules(transaction, series);
  const keys = [...new Set(points.map(({ key }) => key))];
  const before = await levelsOf(transaction, rules, keys, points[0]?.origin);
  const after = new Map<string, { readonly rule: string; readonly key: string; readonly level: Level }>();
  const crossed: Crossed[] = [];
  for (const [key, ofKey] of Map.groupBy(points, (point) => point.key))
    for (const rule of rules) {
      if (!watchesKey(rule.trigger, key)) continue;
      const place = `${rule.id} ${key}`;
      let level = before.get(place);
      for (const { id, at, value, basis } of pointsToSee(level, ofKey)) {
        const moved = step(level, { at: at.getTime(), value, basis }, thresholdOf(rule.trigger));
        if (moved.crossing)
          addCrossing(crossed, rule, moved.crossing, {
            id,
            made: crossingMessage(series, key, { level: moved.level, before: level }),
          });
        level = moved.level;
      }
      if (level && level !== before.get(place)) after.set(place, { rule: rule.id, key, level });
    }
  await retainLevels(transaction, [...after.values()], points[0]?.origin);
  return crossed;
}

function addCrossing(
  crossed: Crossed[],
  rule: SeriesRule,
  kind: Crossed["kind"],
  { id, made }: { readonly id: string; readonly made: Crossed["crossings"][number] },
): void {
  const open = crossed.findLast((each) => each.rule === rule && each.kind === kind);
  if (open && open.crossings.length < maxCrossings) open.crossings.push(made);
  else crossed.push({ rule, kind, first: id, crossings: [made] });
}

function firingsOf({ rule, kind, first, crossings }: Crossed, requiredTier: number, origin: string): Firing[] {
  const { threshold, direction } = thresholdOf(rule.trigger);
  const plain = crossings.map(({ at, ...crossing }) => ({ ...crossing, at: Number(at) }));
  const data = { ruleId: rule.id, ruleName: rule.name, origin, threshold, direction, crossings: plain };
  return [{ rule, type: `series.${kind}`, mark: first, requiredTier, count: crossings.length, data }];
}

async function seriesRules(transaction: Transaction, series: string): Promise<SeriesRule[]> {
  const { rows } = await sql<RuleRow & { rank: number }>`
    select id, account, name, endpoints, trigger,
      ${rankInAccount} as rank
    from alert_rule where series = ${series} and paused_at is null order by created_at, id`.execute(transaction);
  return rows.flatMap(({ trigger, ...rule }) => {
    const { series: watched } = triggerOf({ trigger });
    return watched ? [{ ...rule, trigger: watched }] : [];
  });
}

/** Returns the last level of each rule and key. Levels from samples are not compared with live values. */
async function levelsOf(
  transaction: Transaction,
  rules: readonly SeriesRule[],
  keys: readonly string[],
  origin: string | undefined,
): Promise<ReadonlyMap<string, Level>> {
  const { rows } = await sql<Selectable<AlertTables["alert_level"]>>`
    select * from alert_level where rule = any(${rules.map(({ id }) => id)}::text[]) and key = any(${keys}::text[])
      and origin = ${origin}`.execute(transaction);
  return new Map(
    rows.map(({ rule, key, at, value, basis, beyond }) => [
      `${rule} ${key}`,
      { at: at.getTime(), value, basis, beyond },
    ]),
  );
}

async function retainLevels(
  transaction: Transaction,
  levels: readonly { readonly rule: string; readonly key: string; readonly level: Level }[],
  origin: string | undefined,
): Promise<void> {
  if (levels.length === 0) return;
  const rows = levels.map(({ level, ...place }) => ({ ...place, ...level, at: new Date(level.at).toISOString() }));
  await sql`
    insert into alert_level (rule, key, origin, at, value, basis, beyond)
    select rule, key, ${origin}, at, value, basis, beyond from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (rule text, key text, at timestamptz, value float8, basis int2, beyond bool)
    on conflict (rule, key) do update set (origin, at, value, basis, beyond) =
      (excluded.origin, excluded.at, excluded.value, excluded.basis, excluded.beyond)`.execute(transaction);
}

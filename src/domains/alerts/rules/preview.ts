import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type { PreviewRuleResponseSchema } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import type { SeriesTrigger, Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { ConditionBudget } from "../../../changes/change-condition.ts";
import { ChangeEntry } from "../../../changes/change-message.ts";
import { dayMs } from "../../../reference/duration.ts";
import { logExtent, readChanges } from "../../../store/changes/change-log.ts";
import { firstKnown, readTold } from "../../../store/history/stored-points.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { matchingTenders } from "../../economic/published.ts";
import { type ChangeWatch, changeWatch, isWatched, noticeIdOf } from "../evaluation/change-watch.ts";
import { crossingMessage, thresholdOf } from "../evaluation/crossings.ts";
import { type Level, pointsToSee, step } from "../evaluation/series-level.ts";

const daysBack = 7;
const maxLookedAt = 20_000;
const maxPoints = 20_000;
const rowsInChunk = 500;
const maxShown = 5;
/** Units of fuel for all evaluations of a preview's condition. */
const maxFuel = 50_000_000;

interface PreviewParts {
  readonly database: Kysely<StoreTables>;
  readonly data: "live" | "sample";
  readonly now: Date;
}

type Preview = MessageInitShape<typeof PreviewRuleResponseSchema>;

/** What a rule would have reported of the last days. */
export async function preview(trigger: Trigger, parts: PreviewParts): Promise<Preview> {
  const since = new Date(parts.now.getTime() - daysBack * dayMs);
  const found = trigger.series
    ? await previewSeries(trigger.series, since, parts)
    : await previewChanges(changeWatch(trigger), since, parts);
  return { since: BigInt(since.getTime()), ...found };
}

async function previewChanges(watch: ChangeWatch, since: Date, { database, data, now }: PreviewParts) {
  const { newest, floor } = await logExtent(database);
  const filter = { datasets: [...watch.datasets], countries: [...watch.countries], kinds: [...watch.kinds] };
  const shown: ChangeEntry[] = [];
  const budget = new ConditionBudget(maxFuel);
  let [fired, lookedAt, position, isWhole] = [0, 0, floor, true];
  while (position < newest && isWhole) {
    const span = { after: position, upTo: newest, limit: rowsInChunk, liveOnly: data === "live" };
    const rows = (await readChanges(database, span, filter)).map((row) => new ChangeEntry(row));
    const recent = rows.filter(({ logged }) => logged.at >= since);
    const matching = await matchingOf(recent, watch, budget);
    const kept = watch.tenders ? await ofNotices(matching, watch.tenders, { database, now }) : matching;
    fired += kept.length;
    shown.push(...kept.slice(0, maxShown - shown.length));
    lookedAt += recent.length;
    position = rows.length < rowsInChunk ? newest : (rows.at(-1)?.position ?? newest);
    isWhole = !budget.isSpent && (lookedAt < maxLookedAt || position === newest);
  }
  return { fired, complete: isWhole, changes: shown.map(({ message }) => message) };
}

async function matchingOf(
  entries: readonly ChangeEntry[],
  watch: ChangeWatch,
  budget: ConditionBudget,
): Promise<readonly ChangeEntry[]> {
  const { condition } = watch;
  const found: ChangeEntry[] = [];
  for (const entry of entries)
    if (isWatched(watch, entry) && (!condition || (await budget.holds(condition, entry)))) found.push(entry);
  return found;
}

async function ofNotices(
  entries: readonly ChangeEntry[],
  tenders: NonNullable<ChangeWatch["tenders"]>,
  { database, now }: Pick<PreviewParts, "database" | "now">,
): Promise<readonly ChangeEntry[]> {
  const ids = await matchingTenders(database, tenders, entries.map(noticeIdOf), now);
  return entries.filter((entry) => ids.has(noticeIdOf(entry)));
}

/** As if the rule had been made then, and had looked after each refresh at what it told. */
async function previewSeries(trigger: SeriesTrigger, since: Date, { database, data }: PreviewParts) {
  const keys = trigger.keys.map((key) => key.toUpperCase());
  const points = await readTold(database, {
    ...{ series: trigger.series, origin: data, keys, since, most: maxPoints },
  });
  const levels = new Map<string, Level>();
  const threshold = thresholdOf(trigger);
  const crossings: ReturnType<typeof crossingMessage>[] = [];
  for (const told of Map.groupBy(points.slice(0, maxPoints), (each) => each.recordedAt.getTime()).values())
    for (const [key, ofKey] of Map.groupBy(told, (each) => each.key))
      for (const { at, value, basis } of pointsToSee(levels.get(key), ofKey)) {
        const before = levels.get(key);
        const { level, crossing } = step(before, { at: at.getTime(), value, basis }, threshold);
        levels.set(key, level);
        if (crossing) crossings.push(crossingMessage(trigger.series, key, { level, before }));
      }
  // What was there before the first refresh told nobody anything.
  const first = await firstKnown(database, { series: trigger.series, origin: data });
  const isWhole = points.length <= maxPoints && first !== undefined && first <= since;
  return { fired: crossings.length, complete: isWhole, crossings: crossings.slice(0, maxShown) };
}

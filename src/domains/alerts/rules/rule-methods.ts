import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { PreviewRuleResponseSchema, RuleSchema } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import type { SeriesTrigger, Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { accountOf, callerKey, principalOf } from "../../../access/caller.ts";
import { ConditionBudget } from "../../../changes/change-condition.ts";
import { ChangeEntry } from "../../../changes/change-message.ts";
import { type DeliveryData, deliveryJob } from "../../../delivery/delivery-kinds.ts";
import { bringForward } from "../../../delivery/delivery-log.ts";
import { eventBody } from "../../../delivery/queue-deliveries.ts";
import type { RegistrationParts } from "../../../delivery/registration-parts.ts";
import { Conflict, invalidField } from "../../../errors.ts";
import type { ScheduledDataset } from "../../../ingest/schedule/scheduled.ts";
import { dayMs } from "../../../reference/duration.ts";
import { logExtent, readChanges } from "../../../store/changes/change-log.ts";
import { firstKnown, readLatest, readReported } from "../../../store/history/stored-points.ts";
import type { Store } from "../../../store/tables.ts";
import type { RuleRow } from "../alert-table.ts";
import { listDigests } from "../digest/list-digests.ts";
import { requireEndpoints } from "../endpoints/endpoint-store.ts";
import { queueForEndpoints, receivers } from "../endpoints/receivers.ts";
import { type ChangeWatch, changeWatch, isWatched, matchingNotices } from "../evaluation/change-watch.ts";
import { crossingMessage, pointsToSee, step, thresholdOf } from "../evaluation/series-level.ts";
import { addRule, dropRule, pauseRule, replaceRule, ruleOf, rulesOf, triggerOf } from "./rule-store.ts";
import { checkKeys, checkTrigger, type Watched, withUnionKeys } from "./rule-trigger.ts";

export interface AlertsParts extends RegistrationParts {
  readonly sendsMail: boolean;
  readonly watched: Watched;
  readonly datasets: readonly ScheduledDataset[];
  readonly data: "live" | "sample";
}

const daysBack = 7;
const maxEvaluated = 20_000;
const maxPoints = 20_000;
const rowsInChunk = 500;
const maxShown = 5;
const maxFuel = 50_000_000;

interface PreviewParts {
  readonly database: Store;
  readonly data: "live" | "sample";
  readonly now: Date;
}

type Preview = MessageInitShape<typeof PreviewRuleResponseSchema>;

async function preview(trigger: Trigger, parts: PreviewParts): Promise<Preview> {
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
  const isFirstBefore = async () => {
    const [first] = await readChanges(database, { after: 0, upTo: newest, limit: 1, liveOnly: false });
    return first !== undefined && first.at <= since;
  };
  // If entries up to `floor` were deleted because of their age, the log began before them.
  const reachesBack = floor > 0 || (await isFirstBefore());
  let [fired, evaluated, position, isWhole] = [0, 0, floor, true];
  while (position < newest && isWhole) {
    const span = { after: position, upTo: newest, limit: rowsInChunk, liveOnly: data === "live" };
    const rows = (await readChanges(database, span, filter)).map((row) => new ChangeEntry(row));
    const recent = rows.filter(({ logged }) => logged.at >= since);
    const matching = await matchingOf(recent, watch, budget);
    const matches = await matchingNotices(database, watch, matching, now);
    fired += matches.length;
    shown.push(...matches.slice(0, maxShown - shown.length));
    evaluated += recent.length;
    position = rows.length < rowsInChunk ? newest : (rows.at(-1)?.position ?? newest);
    isWhole = !budget.isSpent && (evaluated < maxEvaluated || position === newest);
  }
  return { fired, complete: isWhole && reachesBack, changes: shown.map(({ message }) => message) };
}

async function matchingOf(entries: readonly ChangeEntry[], watch: ChangeWatch, budget: ConditionBudget) {
  const { condition } = watch;
  const found: ChangeEntry[] = [];
  for (const entry of entries)
    if (isWatched(watch, entry) && (!condition || (await budget.holds(condition, entry)))) found.push(entry);
  return found;
}

/** Evaluates the stored points in the order in which refreshes stored them, as if the rule had already existed. */
async function previewSeries(trigger: SeriesTrigger, since: Date, { database, data }: PreviewParts) {
  const wanted = { series: trigger.series, origin: data, keys: trigger.keys.map((key) => key.toUpperCase()) };
  const points = await readReported(database, { ...wanted, since, max: maxPoints });
  const threshold = thresholdOf(trigger);
  const earlier = await readLatest(database, { ...wanted, from: new Date(0), to: since, knownAt: since });
  const levels = new Map(earlier.map((each) => [each.key, step(undefined, each, threshold).level]));
  const crossings: ReturnType<typeof crossingMessage>[] = [];
  let beyondAtFirst = 0;
  for (const batch of Map.groupBy(points.slice(0, maxPoints), (each) => each.recordedAt.getTime()).values())
    for (const [key, ofKey] of Map.groupBy(batch, (each) => each.key))
      for (const { at, value, basis } of pointsToSee(levels.get(key), ofKey)) {
        const before = levels.get(key);
        const { level, crossing } = step(before, { at: at.getTime(), value, basis }, threshold);
        levels.set(key, level);
        if (crossing && !before) beyondAtFirst++;
        else if (crossing) crossings.push(crossingMessage(trigger.series, key, { level, before }));
      }
  // If the series got its first points only after the start of the preview, the preview is incomplete.
  const first = await firstKnown(database, { series: trigger.series, origin: data });
  const isWhole = points.length <= maxPoints && first !== undefined && first <= since;
  return { fired: crossings.length, complete: isWhole, crossings: crossings.slice(0, maxShown), beyondAtFirst };
}

export function ruleMethods(parts: AlertsParts) {
  const { database, clock, randomBytes, sender, watched, datasets } = parts;

  const checked = async (
    account: string,
    { tier }: { readonly tier: number },
    given: { readonly trigger?: Trigger | undefined; readonly endpointIds: readonly string[] },
  ): Promise<{ readonly trigger: Trigger; readonly unknownKeys: string[] }> => {
    if (!given.trigger) throw invalidField("trigger", "value is required");
    checkTrigger(given.trigger, { ...watched, datasets }, tier);
    const trigger = withUnionKeys(given.trigger, watched);
    await requireEndpoints(database, account, given.endpointIds);
    return { trigger, unknownKeys: await checkKeys(database, parts, trigger) };
  };

  return {
    async createRule({ name, endpointIds, ...rest }, context) {
      const { account, plan } = principalOf(context.values.get(callerKey));
      const { trigger, unknownKeys } = await checked(account, plan, { endpointIds, ...rest });
      const id = `rule_${randomBytes(12).toString("hex")}`;
      const row = await addRule(database, { id, account, plan }, { name, trigger, endpointIds }, clock());
      return { rule: ruleMessage(row), unknownKeys };
    },
    listDigests: (request, context) => listDigests(request, context, parts),
    async listRules(_request, context) {
      return { rules: (await rulesOf(database, accountOf(context))).map(ruleMessage) };
    },
    async updateRule({ ruleId, name, endpointIds, ...rest }, context) {
      const { account, plan } = principalOf(context.values.get(callerKey));
      await ruleOf(database, account, ruleId);
      const { trigger, unknownKeys } = await checked(account, plan, { endpointIds, ...rest });
      const row = await replaceRule(database, account, ruleId, { name, trigger, endpointIds });
      return { rule: ruleMessage(row), unknownKeys };
    },
    async pauseRule({ ruleId }, context) {
      return { rule: ruleMessage(await pauseRule(database, accountOf(context), ruleId, clock())) };
    },
    async resumeRule({ ruleId }, context) {
      return { rule: ruleMessage(await pauseRule(database, accountOf(context), ruleId, null)) };
    },
    async deleteRule({ ruleId }, context) {
      await dropRule(database, accountOf(context), ruleId);
      return {};
    },
    async testRule({ ruleId }, context) {
      const { account, plan } = principalOf(context.values.get(callerKey));
      const { name, endpoints } = await ruleOf(database, account, ruleId);
      const send = await sender();
      const now = clock();
      const body = eventBody("rule.test", now, { id: ruleId, name, reason: "" });
      const deliveryIds = await database.transaction().execute(async (transaction) => {
        const active = (await receivers(transaction, new Map([[account, plan]]))).get(account) ?? [];
        const own = active.filter(({ id }) => endpoints.length === 0 || endpoints.includes(id));
        if (own.length === 0) throw new Conflict("The rule has no active endpoint");
        const event = { type: "rule.test", body, rule: ruleId };
        const ids = await queueForEndpoints(transaction, own, event, { now, randomBytes });
        await bringForward(
          transaction,
          own.map(({ id }) => id),
          now,
        );
        for (const { id, kind } of own)
          if (kind !== "feed") await send<DeliveryData>(deliveryJob, { webhook: id }, { transaction });
        return ids;
      });
      return { deliveryIds };
    },
    async previewRule({ ruleId, ...rest }, context) {
      const { account, plan } = principalOf(context.values.get(callerKey));
      const wanted = ruleId === "" ? rest.trigger : triggerOf(await ruleOf(database, account, ruleId));
      if (wanted?.watchlist) throw invalidField("trigger.watchlist", "a watchlist has no preview: use ListDigests");
      const { trigger, unknownKeys } = await checked(account, plan, { trigger: wanted, endpointIds: [] });
      const found = await preview(trigger, { database, data: parts.data, now: clock() });
      return { ...found, unknownKeys };
    },
  } satisfies Partial<ServiceImpl<typeof AlertsService>>;
}

function ruleMessage(row: RuleRow): MessageInitShape<typeof RuleSchema> {
  return {
    id: row.id,
    name: row.name,
    trigger: triggerOf(row),
    endpointIds: row.endpoints,
    paused: row.paused_at !== null,
    createdAt: BigInt(row.created_at.getTime()),
    ...(row.last_fired_at && { lastFiredAt: BigInt(row.last_fired_at.getTime()) }),
    fired: BigInt(row.fired),
    pausedReason: row.paused_reason ?? "",
  };
}

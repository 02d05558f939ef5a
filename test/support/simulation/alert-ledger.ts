import type { RetryPlan } from "../../../src/delivery/attempt.ts";
import { requestedMs } from "./alert-receiver.ts";
import { check } from "./properties.ts";
import type { Sessions } from "./sessions.ts";

/** What must have been queued, as the store stands after each transaction. */
export interface AlertLedger {
  readonly check: () => Promise<void>;
}

interface Rule {
  readonly id: string;
  readonly account: string;
  readonly endpoints: readonly string[];
  readonly after: number;
  readonly paused: boolean;
  readonly country: string | null;
  readonly kind: string;
}

interface Queued {
  readonly id: string;
  readonly endpoint: string;
  readonly account: string;
  readonly rule: string;
  readonly positions: readonly string[];
  readonly state: string;
  readonly kind: string;
}

const dataStatus = `
  select
    coalesce((select position from alert_position), 0)::int8 as position,
    (select coalesce(json_agg(json_build_object('id', id, 'account', account, 'endpoints', endpoints, 'after', after_position,
      'paused', paused_at is not null, 'country', trigger->'changes'->'countries'->>0, 'kind', kind)), '[]') from alert_rule) as rules,
    (select coalesce(json_agg(json_build_object('id', id, 'account', account)), '[]') from webhook
      where inactive_reason is null) as endpoints,
    (select coalesce(json_agg(json_build_object('id', d.id, 'endpoint', webhook, 'account', account, 'rule', rule, 'state', state, 'kind', kind,
      'positions', (select coalesce(json_agg(c->>'position'), '[]') from json_array_elements(d.body::json->'data'->'changes') c))), '[]')
      from webhook_delivery d join webhook on webhook.id = webhook where rule is not null) as queued,
    (select coalesce(json_agg(json_build_object('position', position, 'country', country)), '[]') from change) as changes`;

interface DataStatus {
  readonly position: string;
  readonly rules: readonly Rule[];
  readonly endpoints: readonly { readonly id: string; readonly account: string }[];
  readonly queued: readonly Queued[];
  readonly changes: readonly { readonly position: number; readonly country: string }[];
}

export function alertLedger(
  sessions: Sessions,
  { arrived, plan }: { readonly arrived: ReadonlyMap<string, string>; readonly plan: RetryPlan },
): AlertLedger {
  const { observer } = sessions;
  const known = new Set<string>();
  let looked = 0;
  return {
    async check() {
      const found = (await observer.query<DataStatus>(dataStatus)).rows[0];
      if (!found) throw new Error("No standing");
      for (const each of found.queued) {
        // Rows of a feed are not sent anywhere.
        const isThere = each.state === "delivered";
        check(
          "a delivery is marked as delivered exactly when its receiver has it",
          each.kind === "feed" ? isThere && !arrived.has(each.id) : !isThere || arrived.has(each.id),
          () => `${each.id} counts as ${each.state}, and ${arrived.has(each.id) ? "" : "never "}arrived`,
        );
        if (known.has(each.id)) continue;
        known.add(each.id);
        checkQueued(each, found.rules);
      }
      const upTo = Number(found.position);
      for (const { position, country } of found.changes)
        if (position > looked && position <= upTo) checkDue(position, country, found);
      looked = upTo;
      await checkWaits(sessions, plan);
    },
  };
}

/** What failed waits as the plan says, or as the receiver asked. */
async function checkWaits({ observer }: Sessions, plan: RetryPlan): Promise<void> {
  const { rows } = await observer.query<{ id: string; failures: number; waits: number }>(`
    select id, failures, (extract(epoch from next_attempt_at - max(at)) * 1000)::int8::float8 as waits
    from webhook_delivery join webhook_attempt on delivery = id
    where state = 'pending' and failures > 0 group by id`);
  for (const { id, failures, waits } of rows) {
    const planned = plan[failures - 1] ?? Number.POSITIVE_INFINITY;
    check(
      "a failed delivery waits as the retry plan or its receiver says",
      waits >= planned * 0.9 - 1 && waits <= Math.max(planned * 1.1, requestedMs) + 1,
      () => `${id} waits ${waits} ms after failure ${failures}, not ${planned}`,
    );
  }
}

/** It is of a rule that is not paused, and for an endpoint of its account. */
function checkQueued({ id, rule: ruleId, account, endpoint, positions }: Queued, rules: readonly Rule[]): void {
  const rule = rules.find((each) => each.id === ruleId);
  check("a delivery belongs to a rule that is not paused", rule?.paused === false, () => `${id} of ${ruleId}`);
  if (!rule) return;
  const isForeign = rule.account !== account || (rule.endpoints.length > 0 && !rule.endpoints.includes(endpoint));
  check("a delivery goes only to endpoints of its rule and account", !isForeign, () => `${id} goes to ${endpoint}`);
  check(
    "a rule reports only changes after its start",
    positions.every((position) => Number(position) > rule.after),
    () => `${id} reports what is none of its rule's business`,
  );
}

/** Every rule that watches a change has it queued for each of its endpoints. */
function checkDue(position: number, country: string, { rules, endpoints, queued }: DataStatus): void {
  for (const rule of rules) {
    if (
      rule.kind !== "changes" ||
      rule.paused ||
      position <= rule.after ||
      (rule.country !== null && rule.country !== country)
    )
      continue;
    const own = endpoints.filter(
      ({ id, account }) => account === rule.account && (rule.endpoints.length === 0 || rule.endpoints.includes(id)),
    );
    for (const { id } of own) {
      const isQueued = queued.some(
        (each) => each.rule === rule.id && each.endpoint === id && each.positions.includes(String(position)),
      );
      check(
        "a change that a rule watches is queued for each endpoint of the rule",
        isQueued,
        () => `${rule.id} tells ${id} nothing of change ${position}`,
      );
    }
  }
}

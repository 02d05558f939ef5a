import { randomBytes } from "node:crypto";
import { accountPlans } from "../../access/account-plans.ts";
import type { Plans } from "../../access/plans.ts";
import type { DeliveryParts } from "../../delivery/delivery-jobs.ts";
import { type DeliveryData, deliveryJob } from "../../delivery/delivery-kinds.ts";
import { eventBody } from "../../delivery/queue-deliveries.ts";
import type { Send } from "../../jobs/queue.ts";
import { queueForEndpoints, receivers } from "./endpoints/receivers.ts";
import { eventText } from "./event-text.ts";

export function deliveryRules({
  plans,
  send,
}: {
  readonly plans: Plans;
  readonly send: Send;
}): Pick<DeliveryParts, "textOf" | "mayHave" | "reportDisabled"> {
  return {
    textOf: eventText,
    async mayHave(transaction, account, { tier, now }) {
      const plan = (await accountPlans(transaction, plans, [account], now.getTime())).get(account);
      return plan !== undefined && plan.tier >= tier;
    },
    async reportDisabled(transaction, { id, account, name, reason, at }) {
      const plansByAccount = await accountPlans(transaction, plans, [account], at.getTime());
      const others =
        (await receivers(transaction, plansByAccount)).get(account)?.filter((each) => each.id !== id) ?? [];
      const body = eventBody("endpoint.disabled", at, { id, name, reason });
      await queueForEndpoints(transaction, others, { type: "endpoint.disabled", body }, { now: at, randomBytes });
      for (const { id: webhook, kind } of others)
        if (kind !== "feed") await send<DeliveryData>(deliveryJob, { webhook }, { transaction });
    },
  };
}

import type { ServiceImpl } from "@connectrpc/connect";
import type { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { Trigger } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { accountOf, callerKey, principalOf } from "../../../access/caller.ts";
import { bringForward } from "../../../delivery/bring-forward.ts";
import { type DeliveryData, deliveryJob } from "../../../delivery/delivery-kinds.ts";
import { eventBody } from "../../../delivery/queue-deliveries.ts";
import { Conflict, InvalidRequest } from "../../../errors.ts";
import { requireEndpoints } from "../endpoints/endpoint-store.ts";
import { queueForEndpoints, receivers } from "../endpoints/receivers.ts";
import type { AlertsParts } from "../service.ts";
import { preview } from "./preview.ts";
import { ruleMessage } from "./rule-message.ts";
import { addRule, dropRule, pauseRule, replaceRule, ruleOf, rulesOf, triggerOf } from "./rule-store.ts";
import { checkKeys, checkTrigger } from "./rule-trigger.ts";

type RuleMethods = Pick<
  ServiceImpl<typeof AlertsService>,
  "createRule" | "listRules" | "updateRule" | "pauseRule" | "resumeRule" | "deleteRule" | "testRule" | "previewRule"
>;

export function ruleMethods(parts: AlertsParts): RuleMethods {
  const { database, clock, randomBytes, sender, watched } = parts;

  const checked = async (
    account: string,
    { tier }: { readonly tier: number },
    { trigger, endpointIds }: { readonly trigger?: Trigger | undefined; readonly endpointIds: readonly string[] },
  ): Promise<{ readonly trigger: Trigger; readonly unknownKeys: string[] }> => {
    if (!trigger) throw new InvalidRequest([{ field: "trigger", description: "value is required" }]);
    checkTrigger(trigger, watched, tier);
    await requireEndpoints(database, account, endpointIds);
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
      const stored = ruleId === "" ? undefined : triggerOf(await ruleOf(database, account, ruleId));
      const { trigger, unknownKeys } = await checked(account, plan, {
        trigger: stored ?? rest.trigger,
        endpointIds: [],
      });
      const found = await preview(trigger, { database, data: parts.data, now: clock() });
      return { ...found, unknownKeys };
    },
  };
}

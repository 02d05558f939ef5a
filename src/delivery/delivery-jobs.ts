import { setTimeout as wait } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Encryption } from "../access/encryption.ts";
import { guardedAgent } from "../egress/guarded-agent.ts";
import type { ProxySettings } from "../egress/proxy.ts";
import type { Resolve } from "../egress/resolver.ts";
import type { Job } from "../jobs/job.ts";
import type { Send } from "../jobs/queue.ts";
import type { Store } from "../store/tables.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { retryPlan } from "./attempt.ts";
import { type ChannelParts, channels } from "./channels.ts";
import { type DeliverParts, deliver } from "./deliver.ts";
import { type DeliveryData, deliveryJob, sweepJob } from "./delivery-kinds.ts";
import type { DeliveryTables } from "./delivery-table.ts";
import { type MailSettings, mailParts } from "./mail.ts";
import { webhookPurpose } from "./secret-renewal.ts";
import type { TargetRules } from "./target-check.ts";

export interface DeliveryParts extends Pick<ChannelParts, "textOf">, Pick<DeliverParts, "mayHave" | "reportDisabled"> {
  readonly database: Store;
  readonly encryptionFor: (purpose: string) => Encryption;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly resolve: Resolve;
  readonly send: Send;
  /** Dataset whose refreshes queue deliveries to `chokepoints` webhooks. */
  readonly statusDataset: string;
  readonly proxy: ProxySettings;
  readonly tracing?: Tracing | undefined;
  readonly webhooks: TargetRules;
  readonly deliveryTimes?: Partial<DeliveryTimes>;
  /** Settings of the mail server. Without them, no email is sent. */
  readonly mail: MailSettings;
}

export type DeliveryTimes = Pick<DeliverParts, "plan" | "timeoutMs" | "perSecond">;

const defaultTimes: DeliveryTimes = { plan: retryPlan, timeoutMs: 10_000, perSecond: 10 };
/** Number of endpoints that are served at the same time, so that a slow one does not delay the others. */
const concurrently = 10;
/** Connecting may take at most this share of the timeout of an attempt. */
const connectShare = 0.5;

/** Returns the job that sends queued deliveries, and one that every minute finds deliveries without a job. */
export function deliveryJobs(parts: DeliveryParts): readonly Job[] {
  const { database, clock, random, resolve, send, webhooks, statusDataset, proxy } = parts;
  const { allowLoopback } = webhooks;
  const times = { ...defaultTimes, ...parts.deliveryTimes };
  const { timeoutMs } = times;
  let opened: Dispatcher | undefined;
  const agent = () => {
    opened ??= guardedAgent({ resolve, allowLoopback, connectMs: timeoutMs * connectShare, proxy });
    return opened;
  };
  const { textOf, mayHave, reportDisabled, tracing } = parts;
  const endpointChannels = channels({
    ...{ agent, allowLoopback, timeoutMs, textOf, tracing },
    encryption: parts.encryptionFor(webhookPurpose),
    mail: mailParts(parts.mail, timeoutMs),
  });
  return [
    {
      kind: deliveryJob,
      concurrency: concurrently,
      async work({ webhook }: DeliveryData, run) {
        const due = await deliver(webhook, run, {
          ...times,
          database,
          channels: endpointChannels,
          clock,
          wait,
          random,
          mayHave,
          reportDisabled,
        });
        if (due) await send<DeliveryData>(deliveryJob, { webhook }, { startAfter: due });
      },
    },
    {
      kind: sweepJob,
      every: "* * * * *",
      after: statusDataset,
      async work() {
        for (const webhook of await sweep(database, clock())) await send<DeliveryData>(deliveryJob, { webhook });
      },
    },
  ];
}

/** Returns endpoints with due deliveries that no process is sending. */
export async function sweep(database: Store, now: Date): Promise<string[]> {
  const tables = database.withTables<DeliveryTables>();
  const rows = await tables
    .selectFrom("webhook")
    .select("id")
    .where("inactive_reason", "is", null)
    .where(({ eb, or }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("webhook_delivery")
          .select("webhook_delivery.id")
          .whereRef("webhook_delivery.webhook", "=", "webhook.id")
          .where("state", "=", "pending")
          .where("next_attempt_at", "<=", now),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

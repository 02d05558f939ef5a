import type { SettingTable } from "../setting.ts";
import { count, duration, listOf, mailAddress, oneOf, onOff, smtpUrl } from "../text-types.ts";

export const features = {
  companyMonitoring: {
    name: "IDS_COMPANY_MONITORING",
    type: onOff,
    default: "off",
    meaning: "If `on`, company monitoring is served. If `off`, its operations return 503.",
  },
  resilienceSchema: {
    name: "IDS_RESILIENCE_SCHEMA",
    type: oneOf("1.0", "2.0"),
    default: "2.0",
    meaning: "Form of the resilience scores. `1.0` has no pillars.",
  },
  scenarios: {
    waiting: {
      name: "IDS_SCENARIO_QUEUE",
      type: count,
      default: "100",
      meaning: "Maximum waiting scenario jobs of all accounts. Beyond it, RunScenario returns 429.",
    },
    perAccount: {
      name: "IDS_SCENARIOS_PER_ACCOUNT",
      type: count,
      default: "5",
      meaning: "Maximum unfinished scenario jobs of an account. Beyond it, RunScenario returns 429.",
    },
  },
  webhooks: {
    allowLoopback: {
      name: "IDS_ALLOW_LOOPBACK_WEBHOOKS",
      type: onOff,
      default: "off",
      meaning: "If `on`, webhooks may lead to this machine, over plain HTTP too. For trying them out only.",
    },
    /** Waits between attempts. */
    plan: {
      name: "IDS_WEBHOOK_RETRIES",
      type: listOf(duration, "times such as 250ms, 5s, 30m or 24h"),
      default: "5s,5m,30m,2h,5h,10h,14h,20h,24h",
      meaning: "Waits between the attempts of a delivery. A webhook is disabled after the last failed attempt.",
    },
    timeoutMs: {
      name: "IDS_WEBHOOK_TIMEOUT",
      type: duration,
      default: "10s",
      meaning: "Time a webhook has to answer.",
    },
    perSecond: {
      name: "IDS_WEBHOOK_RATE",
      type: count,
      default: "10",
      meaning: "Maximum deliveries to one webhook in a second.",
    },
    maxPerAccount: {
      name: "IDS_WEBHOOKS_PER_ACCOUNT",
      type: count,
      default: "25",
      meaning: "Maximum webhooks of an account.",
    },
  },
  mail: {
    url: {
      name: "IDS_SMTP_URL",
      type: smtpUrl,
      meaning:
        "Mail server through which rules report by e-mail, such as `smtps://user:password@mail.example.org`. If not set, e-mail is off.",
      secret: "password",
    },
    from: {
      name: "IDS_SMTP_FROM",
      type: mailAddress,
      meaning: "Address that messages of rules come from. Required with `IDS_SMTP_URL`.",
    },
  },
} as const satisfies SettingTable;

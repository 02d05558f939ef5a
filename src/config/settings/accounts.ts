import { z } from "zod";
import { isKeyShaped } from "../../access/keys/api-key.ts";
import { givenPlans, type PlanLimits, planKeys } from "../../access/plans.ts";
import { isMailAddress } from "../../reference/mail-address.ts";
import type { SettingTable } from "../setting.ts";
import { anyText, isHeaderText, isWebAddress, listOf, mapOf, oneOf, onOff } from "../text-types.ts";

const limits = z
  .string()
  .regex(/^(-|[1-9]\d{0,8})(\/(-|[1-9]\d{0,8})){0,7}$/)
  .transform((text): Partial<PlanLimits> => {
    const names = [
      ...(["perMinute", "perDay", "exportedRows", "feedUrls", "streams", "historyDays"] as const),
      ...(["rules", "endpoints"] as const),
    ];
    const numbers = text.split("/").map((number) => (number === "-" ? undefined : Number(number)));
    return Object.fromEntries(numbers.map((number, index) => [names[index], number]));
  });

const publicPlans = ["free", "pro", "api", "enterprise"] as const;

/** URL for buying a plan, which error responses contain unchanged. */
const upgradeUrl = z
  .string()
  .refine(
    (url) => /^(https?:\/)?\/[\x21-\x7e]*$/.test(url) && !url.startsWith("//") && URL.canParse(url, "http://localhost"),
  )
  .describe("an http(s) URL, or a path that begins with /");

export const accounts = {
  operatorKey: {
    name: "IDS_OPERATOR_KEY",
    type: z.string().refine(isKeyShaped).describe("ids_ and 40 lower-case hexadecimal digits"),
    meaning:
      "Sets the operator's key. If not set, the first start in live mode creates one and stores it in `operator-key` in the data folder.",
    secret: "value",
  },
  demoAnywhere: {
    name: "IDS_DEMO",
    type: onOff,
    default: "off",
    meaning:
      "If `on`, the demo keys of sample mode work on every address and behind a proxy, not only on a loopback address.",
  },
  /** Which plan's data pages show without a key. If undefined, the default depends on live or sample mode. */
  publicPages: {
    name: "IDS_PUBLIC_PAGES",
    type: oneOf("none", ...publicPlans),
    meaning: `Plan whose permissions apply to pages for visitors without a session: ${publicPlans.join(", ")}; \`none\` shows public operations only. Requests are counted by address. If not set, \`api\` in sample mode on a loopback address, otherwise \`none\`.`,
  },
  planLimits: {
    name: "IDS_PLAN_LIMITS",
    type: mapOf(
      z.enum(planKeys),
      limits,
      `plan=perMinute, or up to plan=perMinute/perDay/exportedRows/feedUrls/streams/historyDays/rules/endpoints (a whole number, or - for unlimited) for the plans ${planKeys.join(", ")}`,
    ),
    default: "",
    meaning: "Request limits that replace those of a plan, such as `free=60,enterprise=5000/1000000,pro_annual=-/-`.",
  },
  upgradeUrl: {
    name: "IDS_UPGRADE_URL",
    type: upgradeUrl,
    default: "/plans",
    meaning: "Link that callers get when their plan does not cover a request.",
  },
} as const satisfies SettingTable;

const contact = z
  .string()
  .refine((text) => isMailAddress(text) || (isWebAddress(text) && isHeaderText(text)))
  .describe("an e-mail address or an http(s) URL");

const webAddress = z.string().refine(isWebAddress).describe("an http(s) URL");

const alertTarget = z
  .string()
  .refine((text) => isWebAddress(text) || (text.startsWith("mailto:") && isMailAddress(text.slice(7))))
  .describe("an http(s) URL or mailto: address");

export const operator = {
  operator: {
    name: {
      name: "IDS_OPERATOR_NAME",
      type: anyText,
      meaning:
        "Name of the operator, which `/about` shows, and the publisher in the metadata of datasets. If not set, the page says that the operator gave no name.",
    },
    contact: {
      name: "IDS_OPERATOR_CONTACT",
      type: contact,
      meaning:
        "How to contact the operator for keys and questions: an e-mail address or a page. `/about`, `/catalog.jsonld`, and `/.well-known/security.txt` show it publicly, and requests to upstreams include it in `User-Agent`. Required with `IDS_GEOCODER_URL`.",
    },
    privacy: {
      name: "IDS_PRIVACY_URL",
      type: webAddress,
      meaning:
        "The operator's privacy notice. `/about` links to it in addition to the data that the program itself stores.",
    },
    alerts: {
      name: "IDS_OPERATOR_ALERTS",
      type: listOf(alertTarget, "http(s) URLs and mailto: addresses"),
      default: "",
      meaning:
        "Where `ids serve` and `ids work` report trouble when it starts and ends, such as `https://chat.example/hooks/ops,mailto:ops@example.org`: a source that fails for an hour or changes its format, a dataset too old to be served, less than 1 GiB of free disk, and a failed backup or none for 8 days. E-mail needs `IDS_SMTP_URL`.",
      secret: "value",
    },
    prices: {
      name: "IDS_PLAN_PRICES",
      type: mapOf(z.enum(givenPlans), z.string().trim().min(1), `plan=price for the plans ${givenPlans.join(", ")}`),
      default: "",
      meaning:
        "Prices of the plans, as `/plans` shows them, such as `free=0 EUR,pro_monthly=19 EUR a month`. They are only text: the service charges nothing.",
    },
  },
} as const satisfies SettingTable;

/** Settings of the billing provider. One secret enables checks of subscriptions, the other one webhooks. */
export const payments = {
  stripe: {
    secretKey: {
      name: "IDS_STRIPE_SECRET_KEY",
      type: z
        .string()
        .regex(/^(sk|rk)_[A-Za-z0-9_]+$/)
        .describe("a key that begins with sk_ or rk_"),
      meaning: "Stripe API key. If set, the service asks Stripe whether an ended subscription was renewed.",
      secret: "value",
    },
    webhookSecret: {
      name: "IDS_STRIPE_WEBHOOK_SECRET",
      type: z
        .string()
        .regex(/^whsec_[A-Za-z0-9+/=_-]+$/)
        .describe("a secret that begins with whsec_"),
      meaning: "Signing secret of Stripe's webhook. If set, events sent to `/webhooks/stripe` update subscriptions.",
      secret: "value",
    },
    /** Names of plans by price ID of the billing provider. */
    prices: {
      name: "IDS_STRIPE_PRICES",
      type: mapOf(
        z.string().regex(/^[\w-]+$/),
        z.enum(givenPlans),
        `price=plan for the plans ${givenPlans.join(", ")}`,
      ),
      default: "",
      meaning:
        "Plan of each Stripe price, such as `price_1=pro_monthly,price_2=api_starter`. Required with either Stripe secret.",
    },
  },
} as const satisfies SettingTable;

import { z } from "zod";
import { givenPlans } from "../../access/plans.ts";
import type { SettingTable } from "../setting.ts";
import { mapOf } from "../text-types.ts";

/** Settings of the billing provider. Each of the two secrets enables a part of it. */
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
    /** Plan keys by price ID. */
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

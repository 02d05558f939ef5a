import { z } from "zod";
import { InvalidRequest } from "../../errors.ts";
import { comparePlans, type Plans } from "../plans.ts";
import type { Billed } from "./provider.ts";

export type Prices = ReadonlyMap<string, string>;

/** Unix epoch seconds, at most the end of the year 9999. */
export const seconds = z.number().int().min(0).max(253_402_300_799);
/** ID of a Stripe object: visible ASCII characters. */
export const name = z.string().regex(/^[!-~]{1,255}$/);
const idOf = z.union([name, z.object({ id: name }).transform(({ id }) => id)]);

/** Parses an object. The error names the invalid member, because Stripe shows it to the operator. */
export function readForm<T>(schema: z.ZodType<T>, value: unknown, at: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new InvalidRequest(
    read.error.issues.map(({ path, message }) => ({
      field: [at, ...path.map(String)].join("."),
      description: message,
    })),
  );
}

/** Newer versions of Stripe's API report a period per item, older ones per subscription. */
export const stripeSubscription = z.object({
  id: name,
  customer: idOf,
  status: z.string(),
  current_period_end: seconds.optional(),
  items: z.object({
    data: z.array(z.object({ price: z.object({ id: name }), current_period_end: seconds.optional() })).min(1),
  }),
});

/** Newer versions of Stripe's API name the subscription in the parent, older ones in the invoice. */
export const stripeInvoice = z.object({
  customer: idOf.nullish(),
  subscription: idOf.nullish(),
  parent: z.object({ subscription_details: z.object({ subscription: idOf }).nullish() }).nullish(),
  lines: z.object({
    data: z.array(
      z.object({
        period: z.object({ end: seconds }),
        type: z.string().optional(),
        parent: z.object({ type: z.string() }).nullish(),
      }),
    ),
  }),
});

/**
 * A subscription is not covered while a payment is due and retried (`past_due`). The event of the payment restores it.
 */
const runningStatuses = ["active", "trialing"];

/** Parses a purchase. If it has several items, the best plan counts. */
export function billedOf(subscription: z.infer<typeof stripeSubscription>, prices: Prices, plans: Plans): Billed {
  const { status, current_period_end: whole = 0, items } = subscription;
  const bought = items.data.map(({ price, current_period_end: end = whole }) => ({
    plan: plans.get(prices.get(price.id) ?? ""),
    end,
  }));
  const known = bought.flatMap(({ plan, end }) => (plan ? [{ plan, end }] : []));
  const best = known.sort((a, b) => comparePlans(b.plan, a.plan) || b.end - a.end)[0];
  return {
    running: runningStatuses.includes(status),
    plan: best?.plan.key,
    validUntil: new Date(1000 * (best?.end ?? Math.max(...bought.map(({ end }) => end)))),
  };
}

/** Returns the subscription of an invoice and the end of its paid period; undefined without a subscription. */
export function paidPeriodOf(
  invoice: z.infer<typeof stripeInvoice>,
): { readonly subscription: string; readonly end: Date } | undefined {
  const subscription = invoice.parent?.subscription_details?.subscription ?? invoice.subscription;
  const ends = invoice.lines.data
    .filter(({ type, parent }) => type === "subscription" || parent?.type === "subscription_item_details")
    .map(({ period }) => period.end);
  return subscription && ends.length > 0 ? { subscription, end: new Date(1000 * Math.max(...ends)) } : undefined;
}

import { z } from "zod";
import { isKeyShaped } from "../../access/keys/api-key.ts";
import { type PlanLimits, planKeys } from "../../access/plans.ts";
import type { SettingTable } from "../setting.ts";
import { mapOf, oneOf, onOff } from "../text-types.ts";

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

/** The value is sent to callers unchanged. */
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
    meaning: "If `on`, the demo keys of sample mode work on every address, not only on a loopback address.",
  },
  /** If undefined, the mode decides. */
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

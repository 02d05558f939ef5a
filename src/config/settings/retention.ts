import { z } from "zod";
import type { SettingTable } from "../setting.ts";

/** Infinity means that data is never deleted. */
const days = z
  .string()
  .regex(/^([1-9]\d{0,4}|forever)$/)
  .transform((text) => (text === "forever" ? Number.POSITIVE_INFINITY : Number(text)))
  .describe("a whole number of days from 1 to 99999, or forever");

export const retention = {
  /** Retention periods in days. */
  retain: {
    usage: {
      name: "IDS_KEEP_USAGE_DAYS",
      type: days,
      default: "400",
      meaning: "Retention of call counts by account, day and operation. Quotas have their own counters.",
    },
    audit: {
      name: "IDS_KEEP_AUDIT_DAYS",
      type: days,
      default: "400",
      meaning: "Retention of audit events. The event that created a key is retained while the key is active.",
    },
    history: {
      name: "IDS_KEEP_HISTORY_DAYS",
      type: days,
      default: "400",
      meaning:
        "Retention of earlier versions of the data for `as_of`: all versions for 7 days, then the last of each UTC day. It also applies to series points that are recorded at refreshes.",
    },
  },
} as const satisfies SettingTable;

import { z } from "zod";
import type { SettingTable } from "../setting.ts";

/** Infinite: for good. */
const days = z
  .string()
  .regex(/^([1-9]\d{0,4}|forever)$/)
  .transform((text) => (text === "forever" ? Number.POSITIVE_INFINITY : Number(text)))
  .describe("a whole number of days from 1 to 99999, or forever");

export const retention = {
  /** In days. */
  retain: {
    usage: {
      name: "IDS_KEEP_USAGE_DAYS",
      type: days,
      default: "400",
      meaning: "Time for which calls by account, day and operation are kept. Quotas are counted elsewhere.",
    },
    audit: {
      name: "IDS_KEEP_AUDIT_DAYS",
      type: days,
      default: "400",
      meaning: "Time for which audit events are kept. The event that made a key which is still active stays.",
    },
    history: {
      name: "IDS_KEEP_HISTORY_DAYS",
      type: days,
      default: "400",
      meaning:
        "Time for which earlier versions of the data are kept for `as_of`, all for 7 days, then the last of each UTC day, and points of series that are values at refreshes.",
    },
  },
} as const satisfies SettingTable;

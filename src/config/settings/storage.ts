import { resolve } from "node:path";
import { z } from "zod";
import { isSecret } from "../../access/secret.ts";
import { hostsOf, wantedHosts } from "../../store/host-list.ts";
import { archivePlace } from "../archive-place.ts";
import type { SettingTable } from "../setting.ts";
import { asciiText, listOf } from "../text-types.ts";

const megabytes = z
  .string()
  .regex(/^\d{1,7}$/)
  .transform((text) => Number(text) * 1024 * 1024)
  .describe("a whole number of megabytes from 0 to 9999999");

/** A number of days; infinity means that data is never deleted. */
const days = z
  .string()
  .regex(/^([1-9]\d{0,4}|forever)$/)
  .transform((text) => (text === "forever" ? Number.POSITIVE_INFINITY : Number(text)))
  .describe("a whole number of days from 1 to 99999, or forever");

export const retention = {
  /** Retention period of each kind of data, in days. */
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
    sources: {
      name: "IDS_SOURCE_RETENTION_DAYS",
      type: days,
      default: "7",
      meaning:
        "Retention of the responses of sources, for `ids verify` and `ids replay`. The last response of each source is retained longer.",
    },
  },
} as const satisfies SettingTable;

const databaseUrl = z
  .string()
  .refine((url) => hostsOf(url) !== undefined)
  .describe(
    `a URL that begins with postgres:// or postgresql://; for several hosts, separated by commas, target_session_attrs selects one (${wantedHosts.join(", ")})`,
  );

const standbyUrl = z
  .string()
  .refine((url) => hostsOf(url)?.addresses.length === 1)
  .describe("a URL that begins with postgres:// or postgresql:// and names one host");

export const storage = {
  directory: {
    name: "IDS_DATA_DIR",
    type: z
      .string()
      .transform((path) => resolve(path))
      .describe("the path of a folder"),
    default: ".data",
    meaning: "Folder of the embedded database and of the keys and secrets that the service creates.",
  },
  databaseUrl: {
    name: "DATABASE_URL",
    type: databaseUrl,
    meaning:
      "URL of Postgres 15 or newer, direct or through a pooler in session mode. `postgres://user@one,two/ids?target_session_attrs=primary` follows a failover. If not set, the embedded database is used.",
    secret: "password",
  },
  readDatabaseUrl: {
    name: "IDS_READ_DATABASE_URL",
    type: standbyUrl,
    meaning:
      "A standby of `DATABASE_URL` for reads of data. The primary serves everything else, and reads while the standby is more than 10 seconds behind.",
    secret: "password",
  },
  /** Keys for stored secrets. The first one encrypts. Without keys, the service creates one in the data folder. */
  secretKeys: {
    name: "IDS_SECRET_KEY",
    type: listOf(z.string().refine(isSecret), "one or more keys of 64 hexadecimal digits (openssl rand -hex 32)"),
    default: "",
    meaning:
      "Key from which all secrets at rest are derived. Earlier keys may follow; they are used for reading only. Required with `DATABASE_URL`; otherwise the service creates one in the data folder.",
    secret: "value",
  },
} as const satisfies SettingTable;

export const sourceResponses = {
  sourceBytes: {
    name: "IDS_SOURCE_MAX_MB",
    type: megabytes,
    default: "500",
    meaning:
      "Maximum size of the retained responses of sources, compressed. If it is reached, the bytes of the oldest are deleted and their digests remain. 0 retains only digests.",
  },
} as const satisfies SettingTable;

export const archive = {
  archive: {
    place: {
      name: "IDS_ARCHIVE",
      type: archivePlace,
      meaning:
        "Folder or S3-compatible bucket to which closed UTC days of the data are written as Parquet, every hour. If not set, nothing is archived.",
    },
    accessKey: {
      name: "AWS_ACCESS_KEY_ID",
      type: asciiText,
      meaning: "Access key of the bucket of `IDS_ARCHIVE`.",
      secret: "value",
    },
    secretKey: {
      name: "AWS_SECRET_ACCESS_KEY",
      type: asciiText,
      meaning: "Secret of that access key.",
      secret: "value",
    },
    sessionToken: {
      name: "AWS_SESSION_TOKEN",
      type: asciiText,
      meaning: "Session token that belongs to a temporary access key.",
      secret: "value",
    },
  },
} as const satisfies SettingTable;

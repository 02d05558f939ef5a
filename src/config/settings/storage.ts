import { resolve } from "node:path";
import { z } from "zod";
import { isSecret } from "../../access/secret.ts";
import { hostsOf, wantedHosts } from "../../store/host-list.ts";
import type { SettingTable } from "../setting.ts";
import { listOf } from "../text-types.ts";

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
  /** The first key encrypts. Without keys, the service creates one in the data folder. */
  secretKeys: {
    name: "IDS_SECRET_KEY",
    type: listOf(z.string().refine(isSecret), "one or more keys of 64 hexadecimal digits (openssl rand -hex 32)"),
    default: "",
    meaning:
      "Key from which all secrets at rest are derived. Earlier keys may follow; they are used for reading only. Required with `DATABASE_URL`; otherwise the service creates one in the data folder.",
    secret: "value",
  },
} as const satisfies SettingTable;

import { archivePlace } from "../archive-place.ts";
import type { SettingTable } from "../setting.ts";
import { asciiText } from "../text-types.ts";

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

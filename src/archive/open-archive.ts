import type { Config } from "../config/config.ts";
import type { ArchiveStore } from "./archive-store.ts";
import { bucketStore } from "./bucket-store.ts";
import { folderStore } from "./folder-store.ts";

/** The archive that is configured; undefined where there is none. */
export function openArchive({ archive, proxy }: Pick<Config, "archive" | "proxy">): ArchiveStore | undefined {
  const { place, accessKey = "", secretKey = "", sessionToken } = archive;
  if (!place) return undefined;
  return place.kind === "folder"
    ? folderStore(place.folder)
    : bucketStore(place, { accessKey, secretKey, sessionToken }, proxy);
}

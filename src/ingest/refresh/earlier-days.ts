import type { DescMessage } from "@bufbuild/protobuf";
import { newestVersion } from "../../store/history/versions.ts";
import type { Dataset } from "../dataset.ts";
import type { Upstreams } from "../upstreams.ts";
import type { RefreshParts } from "./refresh-parts.ts";

/** Responses of other days are already stored. */
export async function unreportedDays<D extends DescMessage>(
  { name, sources }: Dataset<D>,
  { database, upstreams }: RefreshParts,
): Promise<Upstreams[]> {
  const days = upstreams.earlierDays(sources);
  if (days.length === 0) return [];
  const newest = await newestVersion(database, name);
  return days.map(upstreams.before).filter((earlier) => isLater(earlier, newest));
}

export function isLater({ now }: Upstreams, newest: Date | undefined): boolean {
  return newest === undefined || now() > newest;
}

import {
  type InternetOutage,
  ListInternetOutagesResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { storedMessage } from "../../ingest/snapshot.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Store } from "../../store/tables.ts";
import { cloudflareRadar } from "./cloudflare-radar.ts";
import { internetOutages } from "./internet-outages.ts";

export { cloudflareRadar, internetOutages };

/** For this number of days, an outage without a known end counts as ongoing. */
const openDays = 30;

/** Returns the stored outages, newest first. Undefined if none were ever stored. */
export async function storedOutages(database: Store): Promise<readonly InternetOutage[] | undefined> {
  return (await storedMessage(database, ListInternetOutagesResponseSchema))?.outages;
}

/** Returns the outages that are ongoing at a time. Without a known end, an outage counts for 30 days. */
export function outagesAt(outages: readonly InternetOutage[], now: Date): InternetOutage[] {
  const at = now.getTime();
  return outages.filter(({ detectedAt, endedAt }) => {
    const [start, end] = [Number(detectedAt), Number(endedAt)];
    return start <= at && start > at - openDays * dayMs && (end === 0 || end > at - dayMs);
  });
}

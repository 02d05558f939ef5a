import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { GeocodingProvider } from "../domains/infrastructure/geocoding-provider.ts";
import { type LiveOptions, liveUpstream, userAgent } from "../upstream/live.ts";

/** The configured geocoding provider; without one, places are looked up offline. */
export function geocodingProvider(
  { geocoderUrl: url, operator, variable, proxy }: Config,
  parts: Pick<LiveOptions, "clock" | "random" | "tracing">,
): { provider?: GeocodingProvider } {
  if (url === undefined) return {};
  const delay = (milliseconds: number) => wait(milliseconds);
  const { json } = liveUpstream({ ...parts, variable, proxy, wait: delay });
  return { provider: { url, userAgent: userAgent(operator.contact), json, clock: parts.clock, delay } };
}

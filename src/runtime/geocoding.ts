import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { GeocodingProvider } from "../domains/infrastructure/geocoding-provider.ts";
import { liveUpstream, userAgent } from "../upstream/live.ts";

/** The configured geocoding provider; without one, places are looked up offline. */
export function geocodingProvider(
  { geocoder, variable, proxy, userAgent: agent }: Config,
  clock: () => Date,
  random: () => number,
): { provider?: GeocodingProvider } {
  if (!geocoder) return {};
  const delay = (milliseconds: number) => wait(milliseconds);
  const { json } = liveUpstream({ clock, random, variable, proxy, wait: delay });
  return { provider: { url: geocoder.url, userAgent: userAgent(geocoder.contact, agent), json, clock, delay } };
}

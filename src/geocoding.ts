import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "./config.ts";
import type { GeocodingProvider } from "./domains/infrastructure/geocoding-provider.ts";
import { liveUpstream } from "./upstream/live.ts";

/** The configured geocoding provider; without one, places are looked up offline. */
export function geocodingProvider(
  { geocoder, variable }: Config,
  clock: () => Date,
  random: () => number,
): { provider?: GeocodingProvider } {
  if (!geocoder) return {};
  const delay = (milliseconds: number) => wait(milliseconds);
  // One try each: a retry would break the limit of one request a second.
  const { json } = liveUpstream({ clock, random, variable, wait: delay, tries: 1 });
  const userAgent = `intelligence-data-service/1.0 (${geocoder.contact})`;
  return { provider: { url: geocoder.url, userAgent, json, clock, delay } };
}

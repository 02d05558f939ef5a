import { AlwaysOnSampler, ParentBasedSampler, type Sampler, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";
import type { Config } from "../config/config.ts";

type Settings = Pick<Config["openTelemetry"], "sampler" | "ratio">;

/** Requests are many and alike. */
const defaultShareOfRequests = 0.01;

/** How many of the traces that begin here are recorded, from 0 to 1. */
export function sharesOf(settings: Settings): { readonly requests: number; readonly jobs: number } {
  const { sampler } = settings;
  if (sampler === undefined) return { requests: defaultShareOfRequests, jobs: 1 };
  const share = shareOf(settings);
  return { requests: share, jobs: share };
}

/** Decides on traces that others began; what is asked of it besides is to be recorded. */
export function samplerOf(settings: Settings): Sampler {
  const { sampler = "parentbased" } = settings;
  const byId = new TraceIdRatioBasedSampler(shareOf(settings));
  return new ParentBasedSampler({
    root: new AlwaysOnSampler(),
    ...(!sampler.startsWith("parentbased") && { remoteParentSampled: byId, remoteParentNotSampled: byId }),
  });
}

function shareOf({ sampler = "always_on", ratio }: Settings): number {
  if (sampler.endsWith("traceidratio")) return ratio;
  return sampler.endsWith("always_off") ? 0 : 1;
}

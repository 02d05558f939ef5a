import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { text } from "../../../ingest/row-fields.ts";
import { readAs } from "../../../ingest/source.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";
import { iataCallsign, type LiveFlight, plainCallsign } from "./flight-signal.ts";

export interface Waiting {
  readonly upstream: Upstream;
  readonly timeoutMs: number;
}

/** Sends one request. It is not repeated, because a caller waits. Undefined if the upstream has no data for it. */
export async function requestWhileWaiting(
  { upstream, timeoutMs }: Waiting,
  url: string,
  request: Omit<UpstreamRequest, "url"> = {},
): Promise<unknown> {
  try {
    return await upstream.json({
      maxBytes: 1024 * 1024,
      ...request,
      url,
      timeoutMs,
      tries: 1,
      callerWaits: true,
    });
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 404) return undefined;
    throw error;
  }
}

export type Schedule = Pick<
  LiveFlight,
  | "depIata"
  | "arrIata"
  | "depTimeUtc"
  | "arrTimeUtc"
  | "depEstimatedUtc"
  | "arrEstimatedUtc"
  | "depDelayedMin"
  | "arrDelayedMin"
  | "flightStatus"
  | "flightDurationMin"
  | "arrTerminal"
>;

export async function fetchSchedule(waiting: Waiting, base: string, callsign: string): Promise<Schedule | undefined> {
  const names = [plainCallsign(callsign), iataCallsign(callsign)].filter((name) => /^[A-Z\d]{2,8}$/.test(name));
  for (const name of names) {
    const schedule = parseSchedule(await requestWhileWaiting(waiting, `${base}/${name}`));
    if (schedule) return schedule;
  }
  return undefined;
}

const minutes = z
  .number()
  .nullish()
  .transform((value) => Math.trunc(value ?? 0))
  .pipe(z.int32());

const responseSchema = z
  .object({
    schedule: z
      .object({
        depIata: text,
        arrIata: text,
        depTimeUtc: text,
        arrTimeUtc: text,
        depEstimated: text,
        arrEstimated: text,
        depDelayed: minutes,
        arrDelayed: minutes,
        status: text,
        duration: minutes,
        arrTerminal: text,
      })
      .nullish(),
  })
  .optional();

function parseSchedule(response: unknown): Schedule | undefined {
  const schedule = readAs("The flight schedule", responseSchema, response)?.schedule;
  if (!schedule) return undefined;
  const { depEstimated, arrEstimated, depDelayed, arrDelayed, status, duration, ...same } = schedule;
  return {
    ...same,
    depEstimatedUtc: depEstimated,
    arrEstimatedUtc: arrEstimated,
    depDelayedMin: depDelayed,
    arrDelayedMin: arrDelayed,
    flightStatus: status,
    flightDurationMin: duration,
  };
}

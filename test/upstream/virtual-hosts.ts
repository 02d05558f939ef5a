import { setImmediate } from "node:timers/promises";
import { type RequestInit, Response } from "undici";
import { type LiveClient, type LiveOptions, liveClient } from "../../src/upstream/live.ts";

/** Hosts with given responses, in a time of their own. */
export interface VirtualHosts {
  readonly client: LiveClient;
  /** Sent requests: host, second since the beginning, and the request. */
  readonly sent: { readonly host: string; readonly at: number; readonly init: RequestInit }[];
  /** Lets time pass, from one end of a wait to the next, until this has ended. */
  readonly run: <Value>(promise: Promise<Value>) => Promise<Value>;
  /** Advances the time by some seconds. */
  readonly later: (seconds: number) => void;
}

export interface VirtualResponse {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Seconds until it comes. */
  readonly after?: number;
}

const start = Date.parse("2026-11-18T12:00:00Z");

export function virtualHosts(
  response: (url: URL, number: number) => VirtualResponse,
  options: Partial<LiveOptions> = {},
): VirtualHosts {
  let now = start;
  let timers: { readonly at: number; readonly end: () => void }[] = [];
  const sent: VirtualHosts["sent"] = [];
  const wait = (milliseconds: number) => new Promise<void>((end) => void timers.push({ at: now + milliseconds, end }));
  const client = liveClient({
    clock: () => new Date(now),
    variable: () => undefined,
    random: () => 0,
    wait,
    async transport(address, init) {
      const url = new URL(address);
      sent.push({ host: url.host, at: (now - start) / 1000, init });
      const { status = 200, headers = {}, body = "{}", after = 0 } = response(url, sent.length);
      if (after > 0) await wait(after * 1000);
      return new Response(status === 304 ? null : body, { status, headers });
    },
    ...options,
  });
  return {
    client,
    sent,
    async run(promise) {
      let over = false;
      const end = () => {
        over = true;
      };
      promise.then(end, end);
      for (;;) {
        for (let turns = 0; turns < 20 && !over; turns++) await setImmediate();
        if (over) return promise;
        const next = Math.min(...timers.map(({ at }) => at));
        const due = timers.filter(({ at }) => at === next);
        timers = timers.filter(({ at }) => at !== next);
        now = Math.max(now, next);
        for (const timer of due) timer.end();
      }
    },
    later(seconds) {
      now += seconds * 1000;
    },
  };
}

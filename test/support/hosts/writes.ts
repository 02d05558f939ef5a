import { setTimeout as wait } from "node:timers/promises";

/** What became of writes that a few callers make, each one after the other. */
export interface WriteReport {
  readonly acknowledged: readonly string[];
  /** The status of each other write, or the lack of a response. */
  readonly rejected: readonly string[];
  /** The longest time in which none was acknowledged, and the longest that one caller waited. */
  readonly gapMs: number;
  readonly slowestMs: number;
  /** From the end of the fault until a write was acknowledged. 0 without a call of `well`. */
  readonly resumedMs: number;
}

const pauseMs = 20;
const callers = 3;
let runs = 0;

/** Accounts, each asked for once. */
export function startWrites(url: string, key: string) {
  const run = runs++;
  const acknowledged: string[] = [];
  const rejected: string[] = [];
  let isOver = false;
  let gapMs = 0;
  let slowestMs = 0;
  let resumedMs = 0;
  let wellSince: number | undefined;
  let last = performance.now();
  const endWait = (now: number) => {
    if (wellSince !== undefined) resumedMs = Math.max(resumedMs, now - wellSince);
    wellSince = undefined;
  };
  const write = async (id: string) => {
    const response = await fetch(`${url}/api/account/v1/create-account`, {
      method: "POST",
      headers: { "x-service-key": key, "content-type": "application/json" },
      body: JSON.stringify({ id }),
    }).catch(() => undefined);
    const body = await response?.text().catch(() => undefined);
    return response?.ok && body !== undefined ? undefined : `${response?.status ?? "no answer"}`;
  };
  const writeOn = async (caller: number) => {
    let mine = performance.now();
    for (let number = 0; !isOver; number += 1) {
      const id = `account-${run}-${caller}-${number}`;
      const rejection = await write(id);
      if (rejection === undefined) {
        const now = performance.now();
        acknowledged.push(id);
        [gapMs, slowestMs] = [Math.max(gapMs, now - last), Math.max(slowestMs, now - mine)];
        endWait(now);
        last = now;
        mine = now;
      } else rejected.push(rejection);
      await wait(pauseMs);
    }
  };
  const writing = Promise.all(Array.from({ length: callers }, (_, caller) => writeOn(caller)));
  return {
    well(): void {
      wellSince = performance.now();
    },
    async end(): Promise<WriteReport> {
      isOver = true;
      await writing;
      const now = performance.now();
      gapMs = Math.max(gapMs, now - last);
      endWait(now);
      return { acknowledged, rejected, gapMs, slowestMs, resumedMs };
    },
  };
}

import { setTimeout as wait } from "node:timers/promises";

/** What became of writes made one after the other. */
export interface WriteReport {
  readonly acknowledged: readonly string[];
  /** Of the others: the status, or that no answer came. */
  readonly refused: readonly string[];
  /** The longest time without one. */
  readonly gapMs: number;
}

const pauseMs = 20;
let runs = 0;

/** Accounts, each asked for once. */
export function startWrites(url: string, key: string) {
  const run = runs++;
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let isOver = false;
  let gapMs = 0;
  const writing = (async () => {
    let last = performance.now();
    for (let number = 0; !isOver; number += 1) {
      const id = `account-${run}-${number}`;
      const answer = await fetch(`${url}/api/account/v1/create-account`, {
        method: "POST",
        headers: { "x-service-key": key, "content-type": "application/json" },
        body: JSON.stringify({ id }),
      }).catch(() => undefined);
      const body = await answer?.text().catch(() => undefined);
      if (answer?.ok && body !== undefined) {
        acknowledged.push(id);
        gapMs = Math.max(gapMs, performance.now() - last);
        last = performance.now();
      } else refused.push(`${answer?.status ?? "no answer"}`);
      await wait(pauseMs);
    }
    gapMs = Math.max(gapMs, performance.now() - last);
  })();
  return {
    async end(): Promise<WriteReport> {
      isOver = true;
      await writing;
      return { acknowledged, refused, gapMs };
    },
  };
}

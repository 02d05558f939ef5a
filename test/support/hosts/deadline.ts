import { setTimeout as wait } from "node:timers/promises";

const timeoutMs = 90_000;

/** Waits until it holds; a failed look at it is one at which it does not. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let reason: unknown;
  while (performance.now() < deadline) {
    try {
      if (await holds()) return;
    } catch (error) {
      reason = error;
    }
    await wait(50);
  }
  throw new Error(`Not within ${timeoutMs} ms: ${what}`, { cause: reason });
}

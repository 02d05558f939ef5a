import type { Logger } from "pino";
import { exitCodes } from "./exit-codes.ts";

/** A stop that takes longer than this is cut. */
const stopWithinMs = 10_000;

/**
 * Resolves at the first SIGINT or SIGTERM with it, rejects when a part fails for good; a second signal ends the process at once.
 * `drainMs` is what the caller takes after a SIGTERM before it stops.
 */
export async function untilStopped(
  log: Logger,
  drainMs: number | undefined,
  failed: Promise<never> | undefined,
): Promise<NodeJS.Signals> {
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  const received = await Promise.race([signal, ...(failed === undefined ? [] : [failed])]);
  log.info({ signal: received }, "stopping");
  process.once("SIGINT", () => process.exit(exitCodes.interrupted.code));
  process.once("SIGTERM", () => process.exit(exitCodes.terminated.code));
  endWithin(stopWithinMs + (received === "SIGTERM" ? (drainMs ?? 0) : 0));
  return received;
}

/** Ends the process with status 1 should something still keep it then. */
function endWithin(milliseconds: number): void {
  setTimeout(() => process.exit(exitCodes.late.code), milliseconds).unref();
}

const lingerMs = 500;

/** Everything is closed: what a part or a library left behind, such as a timer of one that was told to try again, keeps it no longer. */
export function endSoon(status?: number): void {
  setTimeout(() => process.exit(status), lingerMs).unref();
}

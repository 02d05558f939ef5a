import type { Logger } from "pino";
import { exitCodes } from "./failures.ts";

/** Maximum duration of a shutdown in milliseconds. */
const stopWithinMs = 10_000;

/**
 * Resolves with the first SIGINT or SIGTERM, and rejects if a part fails permanently. A second signal ends the process
 * immediately. `drainMs` is how long the caller still serves requests after a SIGTERM.
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

/** Ends the process with exit code 1 if it is still running after this time. */
function endWithin(milliseconds: number): void {
  setTimeout(() => process.exit(exitCodes.late.code), milliseconds).unref();
}

const lingerMs = 500;

/** Ends the process after everything is closed, because a library may have a timer that keeps it running. */
export function endSoon(status?: number): void {
  setTimeout(() => process.exit(status), lingerMs).unref();
}

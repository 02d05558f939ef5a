import { UpstreamError } from "../errors.ts";

export interface RateGateOptions {
  /** Whose limit it is, for the message. */
  readonly name: string;
  /** So many may pass in any span of `withinMs`. */
  readonly max: number;
  readonly withinMs: number;
  /** Who would wait longer is turned away at once. */
  readonly maxWaitMs: number;
  readonly clock: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Holds the requests of one process to an upstream's limit. Resolves with the milliseconds that were waited. */
export function rateGate(options: RateGateOptions): () => Promise<number> {
  const { name, max, withinMs, maxWaitMs, clock, wait } = options;
  /** When the last `most` passed or will pass, earliest first. */
  const passes: number[] = [];
  return async () => {
    const now = clock().getTime();
    const [earliest = 0] = passes;
    const turn = passes.length < max ? now : Math.max(now, earliest + withinMs);
    const waitMs = turn - now;
    if (waitMs > maxWaitMs) throw new UpstreamError(`${name} has too many requests waiting`, { kind: "over quota" });
    passes.push(turn);
    if (passes.length > max) passes.shift();
    if (waitMs > 0) await wait(waitMs);
    return waitMs;
  };
}

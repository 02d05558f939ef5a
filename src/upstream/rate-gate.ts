import { UpstreamError } from "../egress/upstream-error.ts";

export interface RateGateOptions {
  readonly name: string;
  readonly max: number;
  readonly withinMs: number;
  /** A request that would have to wait longer is rejected immediately. */
  readonly maxWaitMs: number;
  readonly clock: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Limits the request rate of one process to an upstream. Resolves with the milliseconds that the caller waited. */
export function rateGate(options: RateGateOptions): () => Promise<number> {
  const { name, max, withinMs, maxWaitMs, clock, wait } = options;
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

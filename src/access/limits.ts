import type { Principal } from "./api-key.ts";

/** A limit and what is left of it now. */
export interface LimitLeft {
  /** `per_minute`, `daily`, or the operation that has a limit of its own. */
  readonly name: string;
  /** Undefined: any number. */
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly windowSeconds: number;
  /** Unix epoch milliseconds; undefined while no window has begun. */
  readonly resetAt: number | undefined;
}

/** What is left to a caller, charging nothing. */
export type ReadLimits = (principal: Principal, now: number) => Promise<readonly LimitLeft[]>;

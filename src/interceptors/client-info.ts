import type { Principal } from "../access/keys/api-key.ts";

/** Who asks, as far as the head of the request tells, and when. */
export interface ClientInfo {
  /** The two headers a key may come in. */
  readonly head: { readonly serviceKey?: string; readonly apiKey?: string };
  /** Unix epoch milliseconds. */
  readonly now: number;
  readonly address: () => string;
  /** Who asks by something else than a key; what the headers have counts for nothing then. */
  readonly known?: Principal;
  /** In place of a key, where an open stream looks at it anew: its name, and who holds it then. */
  readonly session?: { readonly id: string; readonly confirm: (now: number) => Principal | Promise<Principal> };
  /** Whose key it came with, once that is known; for the log of requests. */
  caller?: Principal | undefined;
  /** Requests that it was counted as, against the plan. */
  cost?: number;
}

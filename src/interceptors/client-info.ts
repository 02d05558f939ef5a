import type { Principal } from "../access/keys/api-key.ts";

/** Client and time of a request, as far as its headers show. */
export interface ClientInfo {
  /** The two headers that may contain a key. */
  readonly head: { readonly serviceKey?: string; readonly apiKey?: string };
  /** Unix epoch milliseconds. */
  readonly now: number;
  readonly address: () => string;
  /** Principal of a request that is authenticated without a key. The key headers are ignored. */
  readonly known?: Principal;
  /** Replaces the key when an open stream is checked again: its ID, and a lookup of its principal. */
  readonly session?: { readonly id: string; readonly confirm: (now: number) => Principal | Promise<Principal> };
  /** Principal of the request after authentication, for the request log. */
  caller?: Principal | undefined;
  /** Number of requests that it counts as in the plan's quota. */
  cost?: number;
}

import type { Principal } from "../access/keys/api-key.ts";

/** Client and time of a request, as known from its headers. */
export interface ClientInfo {
  /** Values of the two headers that can contain a key. */
  readonly head: { readonly serviceKey?: string; readonly apiKey?: string };
  /** Arrival time in Unix epoch milliseconds. */
  readonly now: number;
  readonly address: () => string;
  /** Principal of a session or feed URL. If set, the headers with keys are ignored. */
  readonly known?: Principal;
  /** Session of a long-lived stream, to check it again later: its ID, and a function that looks up its account. */
  readonly session?: { readonly id: string; readonly confirm: (now: number) => Principal | Promise<Principal> };
  /** Authenticated principal of the request, for the request log. */
  caller?: Principal | undefined;
  /** Number of calls that the request counts as. */
  cost?: number;
}
